//! What a joint's name says it is, and on which side.
//!
//! Reads: one name. Pure.
//!
//! Names are read as words, whatever the exporter put round them (`mixamorig:LeftUpLeg`,
//! `upper_arm.L_Armature`, `Bip01 L UpperArm`, `lShldrBend`). A spine bone's name is never read as more
//! than "spine": chains count them from either end, and the bone called chest may be anything.

/// What a name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Head,
    HeadFront,
    Neck,
    Hips,
    Spine,
    Clavicle,
    /// The upper arm, or a clavicle where the chain has an upper arm too.
    Shoulder,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    /// The thigh, or the shin where the chain has a thigh too.
    Leg,
    Shin,
    Foot,
    Toes,
    Eye,
    Jaw,
}

/// A side by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// What one name says: nothing, for control bones, ends of chains, fingers, hair and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Meaning {
    pub(super) kind: Option<Kind>,
    pub(super) side: Option<Side>,
}

/// Words of bones that steer, end a chain or hold something, and move no part of the body themselves.
const HELPERS: &[&str] = &[
    "aim",
    "attach",
    "control",
    "controller",
    "ctl",
    "ctrl",
    "effector",
    "end",
    "gun",
    "helper",
    "holder",
    "hook",
    "ik",
    "item",
    "leaf",
    "locator",
    "look",
    "lookat",
    "mch",
    "nub",
    "null",
    "orient",
    "pole",
    "prop",
    "roll",
    "site",
    "slot",
    "socket",
    "target",
    "tgt",
    "tip",
    "top",
    "tracker",
    "twist",
    "weapon",
];

/// Words of what grows on a body or is worn, and of parts smaller than a role.
const SMALL_PARTS: &[&str] = &[
    "antenna",
    "band",
    "beard",
    "breast",
    "brow",
    "cape",
    "carpal",
    "cheek",
    "cloth",
    "coat",
    "ear",
    "earring",
    "eyebrow",
    "eyelash",
    "eyelid",
    "feather",
    "finger",
    "fingers",
    "fin",
    "fringe",
    "gill",
    "hair",
    "hat",
    "helmet",
    "horn",
    "index",
    "knuckle",
    "lash",
    "lid",
    "lip",
    "lips",
    "little",
    "mane",
    "metacarpal",
    "middle",
    "mouth",
    "nose",
    "pinkie",
    "pinky",
    "pupil",
    "ribbon",
    "ring",
    "skirt",
    "sleeve",
    "tail",
    "teeth",
    "thumb",
    "tongue",
    "wing",
];

/// Kinds in the order in which they are looked for, the more telling first. A word of the list may be
/// written as two (`upper_arm`, `UpLeg`).
const KINDS: &[(Kind, &[&str])] = &[
    (Kind::HeadFront, &["headfront", "facefront"]),
    (Kind::Toes, &["toe", "toes", "toebase", "ball"]),
    (Kind::Eye, &["eye", "eyes", "eyeball"]),
    (Kind::Jaw, &["jaw", "chin", "mandible"]),
    (Kind::Forearm, &["forearm", "lowerarm", "lowarm", "elbow", "ulna"]),
    (Kind::UpperArm, &["upperarm", "uparm", "arm", "humerus", "shldr"]),
    (Kind::Clavicle, &["clavicle", "clav", "collar", "collarbone"]),
    (Kind::Shoulder, &["shoulder"]),
    (Kind::Hand, &["hand", "wrist", "palm", "fist"]),
    (Kind::Shin, &["shin", "calf", "lowerleg", "lowleg", "knee", "tibia"]),
    (Kind::Thigh, &["thigh", "upperleg", "upleg", "femur"]),
    (Kind::Leg, &["leg"]),
    (Kind::Foot, &["foot", "ankle"]),
    (Kind::Neck, &["neck"]),
    (Kind::Head, &["head", "skull", "cranium"]),
    (Kind::Hips, &["hips", "hip", "pelvis"]),
    (Kind::Spine, &["spine", "chest", "upperchest", "torso", "abdomen", "waist", "stomach", "belly", "back"]),
];

/// Japanese names, the longer before those they contain (a wrist is a "hand neck").
const JAPANESE: &[(Kind, &str)] = &[
    (Kind::Hand, "手首"),
    (Kind::Foot, "足首"),
    (Kind::Toes, "つま先"),
    (Kind::Forearm, "ひじ"),
    (Kind::Shin, "ひざ"),
    (Kind::UpperArm, "腕"),
    (Kind::Clavicle, "肩"),
    (Kind::Thigh, "足"),
    (Kind::Spine, "上半身"),
    (Kind::Hips, "下半身"),
    (Kind::Neck, "首"),
    (Kind::Head, "頭"),
    (Kind::Eye, "目"),
    (Kind::Jaw, "あご"),
];

/// Reads a name.
pub(super) fn meaning(name: &str) -> Meaning {
    if let Some(meaning) = japanese(name) {
        return meaning;
    }
    let mut side = None;
    let mut words = Vec::new();
    for word in words_of(name) {
        match side_of(&word) {
            Some(found) if side.is_none() => side = Some(found),
            Some(_) => {}
            None => words.push(word),
        }
    }
    if side.is_none() {
        side = unglue(&mut words);
    }
    Meaning { kind: kind_of(&words, side), side }
}

/// Whether a name speaks of what grows on a body or is worn: hair, a hat, an antenna.
pub(super) fn is_small_part(name: &str) -> bool {
    words_of(name).iter().any(|word| SMALL_PARTS.contains(&word.as_str()))
}

fn japanese(name: &str) -> Option<Meaning> {
    let side = match (name.contains('左'), name.contains('右')) {
        (true, false) => Some(Side::Left),
        (false, true) => Some(Side::Right),
        _ => None,
    };
    let (kind, _) = JAPANESE.iter().find(|(_, word)| name.contains(word))?;
    let helper = ["IK", "ＩＫ", "捩", "先", "親", "キャンセル"].iter().any(|word| name.contains(word));
    let kind = (!helper || *kind == Kind::Toes && !name.contains("IK") && !name.contains("ＩＫ")).then_some(*kind);
    Some(Meaning { kind, side })
}

/// Lower-case words: split where the name has no letter, before a capital that starts a word, and after
/// a run of capitals. Digits are dropped, and so is all up to the last `:` or `|`.
fn words_of(name: &str) -> Vec<String> {
    let name = name.rsplit([':', '|']).next().unwrap_or(name);
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphabetic() {
            open = false;
            continue;
        }
        let follows_lower = at > 0 && letters[at - 1].is_lowercase();
        let leads_lower = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts = letter.is_uppercase() && (follows_lower || leads_lower);
        if starts || !open {
            words.push(String::new());
            open = true;
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

fn side_of(word: &str) -> Option<Side> {
    match word {
        "left" | "l" | "lft" | "lt" => Some(Side::Left),
        "right" | "r" | "rgt" | "rt" => Some(Side::Right),
        _ => None,
    }
}

/// Takes a side off a word that it was written together with: `lhand`, `handl`, `leftarm`.
fn unglue(words: &mut [String]) -> Option<Side> {
    const AFFIXES: [(&str, Side); 4] =
        [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)];
    for word in words {
        if is_known(word) {
            continue;
        }
        for (affix, side) in AFFIXES {
            let rest = word.strip_prefix(affix).or_else(|| word.strip_suffix(affix));
            if let Some(rest) = rest.filter(|rest| is_known(rest)) {
                *word = rest.to_owned();
                return Some(side);
            }
        }
    }
    None
}

fn is_known(word: &str) -> bool {
    HELPERS.contains(&word) || SMALL_PARTS.contains(&word) || KINDS.iter().any(|(_, names)| names.contains(&word))
}

fn kind_of(words: &[String], side: Option<Side>) -> Option<Kind> {
    let pairs: Vec<String> = words.windows(2).map(<[String]>::concat).collect();
    let has = |name: &str| words.iter().chain(&pairs).any(|word| word == name);
    let barred = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if barred(HELPERS) && !has("headfront") || barred(SMALL_PARTS) {
        return None;
    }
    let kind = KINDS.iter().find(|(_, names)| names.iter().any(|name| has(name))).map(|(kind, _)| *kind)?;
    match (kind, side) {
        // A hip with a side is a thigh's joint; a pelvis with a side leads to one.
        (Kind::Hips, Some(_)) => has("hip").then_some(Kind::Thigh),
        _ => Some(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(name: &str) -> (Option<Kind>, Option<Side>) {
        let Meaning { kind, side } = meaning(name);
        (kind, side)
    }

    #[test]
    fn names_of_common_exports_are_read() {
        let left = Some(Side::Left);
        let right = Some(Side::Right);
        let known = [
            ("mixamorig:LeftUpLeg_024", Kind::Thigh, left),
            ("mixamorig:LeftLeg_025", Kind::Leg, left),
            ("mixamorig:RightArm_017", Kind::UpperArm, right),
            ("mixamorig:RightForeArm_018", Kind::Forearm, right),
            ("mixamorig:Hips_01", Kind::Hips, None),
            ("upper_arm.l_Armature", Kind::UpperArm, left),
            ("lowerarm_r", Kind::Forearm, right),
            ("upperarm.l", Kind::UpperArm, left),
            ("Bip01 L UpperArm", Kind::UpperArm, left),
            ("Bip01 R Calf", Kind::Shin, right),
            ("ValveBiped.Bip01_Head1", Kind::Head, None),
            ("J_Bip_L_LowerLeg", Kind::Shin, left),
            ("lShldrBend", Kind::UpperArm, left),
            ("DEF-upper_arm.L.001", Kind::UpperArm, left),
            ("CC_Base_R_Thigh", Kind::Thigh, right),
            ("UpperArm.L", Kind::UpperArm, left),
            ("r-forearm", Kind::Forearm, right),
            ("L_Hip", Kind::Thigh, left),
            ("ball_l", Kind::Toes, left),
            ("toes.l", Kind::Toes, left),
            ("LeftToeBase", Kind::Toes, left),
            ("Clavicle_R", Kind::Clavicle, right),
            ("rThigh", Kind::Thigh, right),
            ("rhand", Kind::Hand, right),
            ("headfront", Kind::HeadFront, None),
            ("neck_01", Kind::Neck, None),
            ("neckLower", Kind::Neck, None),
            ("Spine02", Kind::Spine, None),
            ("UpperChest", Kind::Spine, None),
            ("eye.L", Kind::Eye, left),
            ("左手首", Kind::Hand, left),
            ("右腕", Kind::UpperArm, right),
            ("首", Kind::Neck, None),
        ];
        for (name, kind, side) in known {
            assert_eq!(says(name), (Some(kind), side), "{name}");
        }
    }

    #[test]
    fn helpers_and_small_parts_play_no_role() {
        let names = [
            "headtracker",
            "head_end",
            "HeadTop_End",
            "handslot.l",
            "IK-foot.l",
            "kneeIK.l",
            "control-toe-roll.l",
            "PoleTarget.L",
            "LeftHandIndex1",
            "Fingers.L",
            "MiddleHand.L",
            "Thumb2.L",
            "eyebrow.L",
            "Head_Hair",
            "lowerarm_twist_01_l",
            "RightFootCtrl",
            "pelvis.L",
            "Armature",
            "Bone.003",
            "necklace",
            "Ear1.L",
            "",
        ];
        for name in names {
            assert_eq!(says(name).0, None, "{name}");
        }
    }

    #[test]
    fn a_word_that_ends_in_l_or_r_is_no_side() {
        assert_eq!(meaning("shoulder").side, None);
        assert_eq!(meaning("skull").side, None);
        assert_eq!(meaning("finger").side, None);
    }
}
