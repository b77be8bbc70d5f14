//! Name bones the ways real files do.
//!
//! Reads: a bone's role and side. Writes: its name under a convention. Pure.

use super::skeleton::{Role, Side};

/// A way of naming bones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// `mixamorig:LeftForeArm`.
    Mixamo,
    /// `forearm.L`.
    Blender,
    /// `lowerarm_l`.
    Unreal,
    /// `LeftLowerArm`.
    Unity,
    /// `Bip01 L Forearm`.
    Biped,
    /// `LeftForeArm`, the spine counted from the top down: Spine02 is the small of the back.
    TopDown,
}

/// Every convention by the word that recipes use.
pub(super) const NAMINGS: [(&str, Naming); 6] = [
    ("mixamo", Naming::Mixamo),
    ("blender", Naming::Blender),
    ("unreal", Naming::Unreal),
    ("unity", Naming::Unity),
    ("biped", Naming::Biped),
    ("top_down", Naming::TopDown),
];

impl Naming {
    /// The name of the node above the hips.
    pub(super) fn root(self) -> &'static str {
        match self {
            Self::Unreal => "root",
            Self::Biped => "Bip01",
            _ => "Armature",
        }
    }

    /// The name of a bone. `spine_bones` counts hips out.
    pub(super) fn name(self, role: &Role, side: Option<Side>, spine_bones: usize) -> String {
        let middle = match role {
            Role::Spine(at) => self.spine(*at, spine_bones),
            Role::Chain { name, at } => self.chain(name, *at),
            limb => match side {
                Some(side) => return self.sided(self.word(limb), side),
                None => self.word(limb).to_owned(),
            },
        };
        match self {
            Self::Mixamo => format!("mixamorig:{middle}"),
            Self::Biped => format!("Bip01 {middle}"),
            _ => middle,
        }
    }

    fn sided(self, word: &str, side: Side) -> String {
        let (left, upper) = (side == Side::Left, if side == Side::Left { "Left" } else { "Right" });
        match self {
            Self::Mixamo => format!("mixamorig:{upper}{word}"),
            Self::Unity | Self::TopDown => format!("{upper}{word}"),
            Self::Blender => format!("{word}.{}", if left { "L" } else { "R" }),
            Self::Unreal => format!("{word}_{}", if left { "l" } else { "r" }),
            Self::Biped => format!("Bip01 {} {word}", if left { "L" } else { "R" }),
        }
    }

    /// `at` counts from the lowest, 0.
    fn spine(self, at: usize, count: usize) -> String {
        match self {
            Self::Mixamo | Self::Biped if at == 0 => "Spine".to_owned(),
            Self::Mixamo | Self::Biped => format!("Spine{at}"),
            Self::Blender if at + 1 == count => "chest".to_owned(),
            Self::Blender if at == 0 => "spine".to_owned(),
            Self::Blender => format!("spine.{at:03}"),
            Self::Unreal => format!("spine_{:02}", at + 1),
            Self::Unity if at + 1 == count => "UpperChest".to_owned(),
            Self::Unity if at == 0 => "Spine".to_owned(),
            Self::Unity if at == 1 => "Chest".to_owned(),
            Self::Unity => format!("Chest{at}"),
            Self::TopDown if at + 1 == count => "Spine".to_owned(),
            Self::TopDown => format!("Spine{:02}", count - 1 - at),
        }
    }

    /// `at` counts from the bone it hangs on, 0.
    fn chain(self, name: &str, at: usize) -> String {
        let mut capital = name.to_owned();
        capital[..1].make_ascii_uppercase();
        match self {
            Self::Mixamo | Self::Unity => format!("{capital}{}", at + 1),
            Self::Biped => format!("{capital}{at}"),
            Self::Blender if at == 0 => name.to_owned(),
            Self::Blender => format!("{name}.{at:03}"),
            Self::Unreal => format!("{name}_{:02}", at + 1),
            Self::TopDown => format!("{capital}{:02}", at + 1),
        }
    }

    fn word(self, role: &Role) -> &'static str {
        let [mixamo, blender, unreal, unity, biped, top_down] = match role {
            Role::Hips => ["Hips", "hips", "pelvis", "Hips", "Pelvis", "Hips"],
            Role::Neck => ["Neck", "neck", "neck_01", "Neck", "Neck", "neck"],
            Role::Head => ["Head", "head", "head", "Head", "Head", "Head"],
            Role::HeadTop => ["HeadTop_End", "head_end", "head_end", "HeadEnd", "HeadNub", "head_end"],
            Role::HeadFront => ["HeadFront", "head_front", "head_front", "HeadFront", "HeadFront", "headfront"],
            Role::Clavicle => ["Shoulder", "shoulder", "clavicle", "Shoulder", "Clavicle", "Shoulder"],
            Role::UpperArm => ["Arm", "upper_arm", "upperarm", "UpperArm", "UpperArm", "Arm"],
            Role::Forearm => ["ForeArm", "forearm", "lowerarm", "LowerArm", "Forearm", "ForeArm"],
            Role::Hand => ["Hand", "hand", "hand", "Hand", "Hand", "Hand"],
            Role::Thigh => ["UpLeg", "thigh", "thigh", "UpperLeg", "Thigh", "UpLeg"],
            Role::Shin => ["Leg", "shin", "calf", "LowerLeg", "Calf", "Leg"],
            Role::Foot => ["Foot", "foot", "foot", "Foot", "Foot", "Foot"],
            Role::Toes => ["ToeBase", "toe", "ball", "Toes", "Toe0", "ToeBase"],
            Role::Spine(_) | Role::Chain { .. } => unreachable!("named by place, above"),
        };
        match self {
            Self::Mixamo => mixamo,
            Self::Blender => blender,
            Self::Unreal => unreal,
            Self::Unity => unity,
            Self::Biped => biped,
            Self::TopDown => top_down,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_down_chain_has_its_spine_upside_down() {
        let names: Vec<String> = (0..3).map(|at| Naming::TopDown.name(&Role::Spine(at), None, 3)).collect();
        assert_eq!(names, ["Spine02", "Spine01", "Spine"]);
    }

    #[test]
    fn sides_are_written_as_each_tool_writes_them() {
        let forearm = |naming: Naming| naming.name(&Role::Forearm, Some(Side::Left), 3);
        assert_eq!(forearm(Naming::Mixamo), "mixamorig:LeftForeArm");
        assert_eq!(forearm(Naming::Blender), "forearm.L");
        assert_eq!(forearm(Naming::Unreal), "lowerarm_l");
        assert_eq!(forearm(Naming::Unity), "LeftLowerArm");
        assert_eq!(forearm(Naming::Biped), "Bip01 L Forearm");
    }
}
