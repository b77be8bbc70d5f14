//! Recipes as people write them: copied, changed, mistaken; and files that are made once.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::fs;
use std::path::{Path, PathBuf};

use posegrid::kit::{self, KitError, RecipeFault, Roster};
use tempfile::TempDir;

fn shipped(name: &str) -> String {
    fs::read_to_string(shipped_folder().join(format!("{name}.toml"))).unwrap()
}

fn shipped_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/kit")
}

/// A folder with one recipe, `workers/mine.toml`.
fn folder_with(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("workers")).unwrap();
    fs::write(folder.path().join("workers/mine.toml"), text).unwrap();
    folder
}

fn generate(text: &str) -> Result<Vec<u8>, KitError> {
    Roster::from_folder(folder_with(text).path()).unwrap().generate("workers/mine")
}

fn fault(text: &str) -> RecipeFault {
    match generate(text) {
        Err(KitError::Recipe(fault)) => fault,
        other => panic!("expected a fault, got {:?}", other.map(|bytes| bytes.len())),
    }
}

/// The gnome's recipe with one line changed; where the line is, from 1.
fn changed(from: &str, to: &str) -> (String, usize) {
    let text = shipped("workers/gnome");
    let at = text.find(from).unwrap_or_else(|| panic!("the recipe says {from}"));
    let line = 1 + text[..at].matches('\n').count();
    (text.replacen(from, to, 1), line)
}

#[test]
fn the_same_recipe_gives_the_same_bytes() {
    for name in ["workers/goblin", "workers/gnome", "loads/stone"] {
        assert!(kit::generate(name).unwrap() == kit::generate(name).unwrap(), "{name}");
    }
}

#[test]
fn a_folder_of_recipes_gives_the_bytes_of_what_ships_and_no_other_names() {
    let folder = Roster::from_folder(&shipped_folder()).unwrap();
    let mut shipped = kit::names();
    shipped.sort();
    assert_eq!(folder.names(), shipped);
    assert!(folder.generate("loads/gold").unwrap() == kit::generate("loads/gold").unwrap());
}

#[test]
fn one_thread_makes_the_same_bytes_as_many() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let many = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let make = || kit::generate("workers/goblin").unwrap();
    assert!(alone.install(make) == many.install(make));
}

#[test]
fn an_eleventh_worker_is_a_copy_with_other_numbers() {
    let text = shipped("workers/dwarf")
        .replace("height_m = 1.28", "height_m = 2.05")
        .replace("shoulders = 41", "shoulders = 34")
        .replace("naming = \"mixamo\"", "naming = \"unreal\"")
        .replace("tunic = \"#8e3a2c\"", "tunic = \"#224466\"");
    let json = json_of(&generate(&text).unwrap());
    let names: Vec<&str> = json["nodes"].as_array().unwrap().iter().filter_map(|node| node["name"].as_str()).collect();
    assert!(names.contains(&"upperarm_l") && names.contains(&"tunic"), "{names:?}");
    let highest = json["accessors"].as_array().unwrap().iter().filter(|accessor| accessor["type"] == "VEC3");
    let highest = highest.filter_map(|accessor| accessor["max"][1].as_f64()).fold(0.0, f64::max);
    assert!((highest - 2.05).abs() < 1e-4, "{highest}");
    let tunic = json["materials"].as_array().unwrap().iter().find(|material| material["name"] == "tunic").unwrap();
    // 0x22 is 34: ((34 / 255 + 0.055) / 1.055)^2.4 = 0.015996..., and a fifth more for what edges and patterns lighten.
    assert!((tunic["pbrMetallicRoughness"]["baseColorFactor"][0].as_f64().unwrap() - 1.2 * 0.015996).abs() < 1e-5);
}

fn json_of(glb: &[u8]) -> serde_json::Value {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + length]).unwrap()
}

#[test]
fn files_are_made_once_and_again_when_the_recipe_changes_or_the_file_is_cut_short() {
    let text = shipped("loads/gold");
    let recipes = folder_with(&text);
    let out = TempDir::new().unwrap();
    let build = || Roster::from_folder(recipes.path()).unwrap().build(out.path(), None).unwrap().remove(0);
    let first = build();
    assert!(first.fresh);
    assert_eq!(first.path, out.path().join("workers/mine.glb"));
    let bytes = fs::read(&first.path).unwrap();
    assert!(!build().fresh, "it is there");
    fs::write(&first.path, &bytes[..bytes.len() - 4]).unwrap();
    assert!(build().fresh, "it was cut short");
    assert!(fs::read(&first.path).unwrap() == bytes);
    fs::write(recipes.path().join("workers/mine.toml"), text.replace("0.46", "0.47")).unwrap();
    let changed = build();
    assert!(changed.fresh && changed.recipe != first.recipe);
    let truth = fs::read(&first.truth).unwrap();
    assert_eq!(first.truth, out.path().join("workers/mine.truth.json"));
    for wrong in [&truth[..truth.len() - 4], b"{}".as_slice(), b""] {
        fs::write(&first.truth, wrong).unwrap();
        assert!(build().fresh, "its truth was cut short");
        assert!(fs::read(&first.truth).unwrap() == truth && !build().fresh);
    }
    fs::remove_file(&first.path).unwrap();
    assert!(build().fresh && first.path.is_file(), "a truth without its model");
    let left: Vec<_> = fs::read_dir(out.path().join("workers")).unwrap().collect();
    assert_eq!(left.len(), 2, "nothing but the two files: {left:?}");
}

#[test]
fn only_what_is_asked_for_is_made() {
    let out = TempDir::new().unwrap();
    let built = kit::build(out.path(), Some(&["loads/gold", "loads/gold"])).unwrap();
    assert_eq!(built.len(), 1);
    assert!(out.path().join("loads/gold.glb").is_file() && !out.path().join("workers").exists());
}

#[test]
fn an_unknown_name_lists_the_choices() {
    let error = kit::generate("workers/dwraf").unwrap_err();
    assert_eq!(error.to_string(), "the kit has no \"workers/dwraf\"");
    let hint = error.hint().unwrap();
    assert!(hint.starts_with("did you mean workers/dwarf?") && hint.contains("loads/stone"), "{hint}");
    let out = TempDir::new().unwrap();
    assert!(matches!(kit::build(out.path(), Some(&["nobody"])), Err(KitError::UnknownName { .. })));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let out = TempDir::new().unwrap();
    fs::write(out.path().join("loads"), "a file where a folder should be").unwrap();
    let error = kit::build(out.path(), Some(&["loads/gold"])).unwrap_err();
    assert!(error.to_string().starts_with("cannot write ") && error.to_string().ends_with("gold.glb"), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_slip_is_named_with_its_line_and_the_choices() {
    let slips = [
        ("naming = \"blender\"", "naming = \"blendr\"", "unknown naming \"blendr\"", "did you mean blender?"),
        ("axes = \"model\"", "axes = \"y\"", "unknown axes \"y\"", "along_x"),
        ("rides = \"head\"", "rides = \"haed\"", "unknown bone \"haed\"", "did you mean head?"),
        ("rides = \"head\"", "rides = \"hand\"", "\"hand\" is two bones", "a bone of the middle"),
        ("colour = \"scarlet\"", "colour = \"scarlett\"", "unknown colour \"scarlett\"", "did you mean scarlet?"),
        ("scarlet = \"#b8332b\"", "scarlet = \"red\"", "\"red\" is no colour", "#rrggbb"),
        ("brass = { rough", "brsas = { rough", "unknown colour \"brsas\"", "did you mean brass?"),
        ("texture_px = 1024", "texture_px = 1000", "texture_px = 1000 is no power of two", "512, 1024"),
        ("texture_px = 1024", "texture_px = 128", "texture_px = 128 is out of range", "from 256 to 4096"),
        ("pattern = \"knit\"", "pattern = \"knitt\"", "unknown pattern \"knitt\"", "did you mean knit?"),
        ("pattern = \"knit\"", "pattern = \"fog\"", "unknown pattern \"fog\"", "weave, knit, burlap, leather"),
        ("take = [\"thigh:0.4-1\"", "take = [\"thigh:1-0.4\"", "\"1-0.4\" is no part of a bone", "shin:0-0.6"),
        ("take = [\"forearm:0.6-1\"", "take = [\"head_top\"", "the form has nothing on \"head_top\"", "[[body.form]]"),
        ("head = 19", "head = -19", "head = -19 is out of range", "from 0.1 to 100"),
        ("stride = 26", "stride = nan", "stride = NaN is out of range", "from 0 to 500"),
        ("stride = 26", "stride = 90", "in walk an ankle is", "crouch"),
        ("cell = 1.5\n", "cell = 0.1\n", "would take", "make cell larger"),
        ("name = \"pupils\"", "name = \"eyes\"", "a second part is called \"eyes\"", "a name of its own"),
        ("spine = [3.5, 6, 6.5, 8]", "spine = [3.5, 8]", "spine has 2 lengths", "hips, then two to five"),
        ("spine_lean_deg = [0, -3, 2, 6]", "spine_lean_deg = [0]", "spine_lean_deg has 1 angles", "one for each"),
        ("follows = \"coat\"", "follows = \"cote\"", "unknown part \"cote\"", "did you mean coat?"),
        ("on = \"hat\", lift = 0.1", "on = \"boots\"", "unknown part before this one \"boots\"", "form"),
        ("{ bone = \"thigh\", ", "{ bone = \"thigh\", side = \"top\", ", "unknown side \"top\"", "left"),
        (
            "{ bone = \"neck\", ",
            "{ bone = \"neck\", side = \"left\", ",
            "a shape on one bone has no sides",
            "two sides",
        ),
        ("{ bone = \"neck\", ", "{ bone = \"neck\", on = \"form\", ", "a limb lies along its bone", "path"),
    ];
    for (from, to, message, hint) in slips {
        let (text, line) = changed(from, to);
        let fault = fault(&text);
        assert!(fault.message.contains(message), "{to}: {}", fault.message);
        assert!(fault.hint.as_ref().is_some_and(|own| own.contains(hint)), "{to}: {:?}", fault.hint);
        let said = KitError::Recipe(fault.clone()).to_string();
        assert!(said.starts_with("workers/mine.toml:"), "{said}");
        if message != "would take" {
            assert_eq!(fault.line, line, "{to}: {said}");
        }
    }
}

/// The bells hang on both boots; with a side only on that one. The worker's left is at +x.
#[test]
fn a_shape_of_one_side_is_not_mirrored() {
    let bells = |text: &str| {
        let json = json_of(&generate(text).unwrap());
        let mesh = json["meshes"].as_array().unwrap().iter().find(|mesh| mesh["name"] == "bells_LOD0").unwrap().clone();
        let at = mesh["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
        let bounds = |end: &str| json["accessors"][at][end][0].as_f64().unwrap();
        (bounds("min"), bounds("max"))
    };
    let (low, high) = bells(&shipped("workers/gnome"));
    assert!((low + high).abs() < 0.01 * high, "{low} to {high}");
    let left = bells(&changed("r = 1.5, blend = 0 }", "r = 1.5, blend = 0, side = \"left\" }").0);
    assert!(left.0 > 0.0, "{left:?}");
    let right = bells(&changed("r = 1.5, blend = 0 }", "r = 1.5, blend = 0, side = \"right\" }").0);
    assert!(right.1 < 0.0, "{right:?}");
}

#[test]
fn a_misspelt_key_lists_the_keys() {
    let (text, line) = changed("hip_width = 11", "hip_widht = 11");
    let fault = fault(&text);
    assert_eq!(fault.line, line);
    assert!(fault.message.contains("hip_widht") && fault.message.contains("hip_width"), "{}", fault.message);
}

#[test]
fn a_shape_that_lacks_or_has_too_much_is_shown() {
    let shape = "{ shape = \"ball\", bone = \"head\", at = 0.46, r = [9.0, 9.2, 9.0] }";
    for (other, message) in [
        ("{ shape = \"ball\", at = 0.46, r = [9.0, 9.2, 9.0] }", "a worker's shape needs a bone"),
        ("{ shape = \"ball\", bone = \"head\", r = [9.0, 9.2] }", "r has 2 numbers"),
        ("{ shape = \"bal\", bone = \"head\", r = 9 }", "unknown shape \"bal\""),
        ("{ shape = \"path\", bone = \"head\", r = 9 }", "a path needs at least two points"),
        ("{ shape = \"ball\", bone = \"head\", r = 0 }", "r = 0 is out of range"),
        ("{ shape = \"ball\", bone = \"head\" }", "missing field `r`"),
    ] {
        let (text, line) = changed(shape, other);
        let fault = fault(&text);
        assert!(fault.message.contains(message), "{other}: {}", fault.message);
        assert_eq!(fault.line, line, "{other}");
    }
}

#[test]
fn what_is_no_toml_is_an_error_with_a_line() {
    let fault = fault("title = \"x\"\nheight_m = = 2\n");
    assert_eq!(fault.line, 2);
}

#[test]
fn a_worker_without_motion_and_a_load_with_bones_are_refused() {
    let text = shipped("workers/gnome");
    let still = &text[..text.find("[motion.idle]").unwrap()];
    assert!(fault(still).message.contains("no [motion]"));
    let boned = shipped("loads/gold").replacen("{ shape = \"ball\",", "{ shape = \"ball\", bone = \"hips\",", 1);
    assert!(fault(&boned).message.contains("a load's shape has a bone"));
}

/// Any number anywhere in a recipe may be replaced by any of these: a file or an error, never a panic.
#[test]
fn no_number_in_a_recipe_brings_the_program_down() {
    let text = shipped("loads/gold");
    let worker = shipped("workers/gnome");
    for text in [text, worker] {
        let places: Vec<usize> = text.match_indices(" = ").map(|(at, _)| at + 3).collect();
        for (turn, at) in places.into_iter().enumerate().step_by(3) {
            let end = at + text[at..].find([',', '\n', ' ', ']', '}']).unwrap();
            if text[at..end].parse::<f64>().is_err() {
                continue;
            }
            for other in ["0", "-3.5", "1e300", "inf", "950"].iter().skip(turn % 2).step_by(2) {
                let changed = format!("{}{other}{}", &text[..at], &text[end..]);
                // Meshing and painting are slow; what is read and placed is what is tested.
                let coarse = changed.replace("cell = 1.", "cell = 7.").replace("cell = 0.", "cell = 4.");
                let coarse = coarse.replace("texture_px = 1024", "texture_px = 256");
                let _ = generate(&coarse);
            }
        }
    }
}

/// The nodes of a GLB by name.
fn nodes_of(glb: &[u8]) -> Vec<serde_json::Value> {
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    assert_eq!(json["extensionsUsed"], serde_json::json!(["KHR_node_visibility"]));
    json["nodes"].as_array().unwrap().clone()
}

#[test]
fn a_part_may_be_hidden_and_belong_to_a_mask() {
    let (text, _) = changed("[[body.part]]", "[[body.part]]\nhidden = true\nmask = \"eyes\"");
    let nodes = nodes_of(&generate(&text).unwrap());
    let marked: Vec<_> = nodes.iter().filter(|node| !node["extras"]["posegrid"]["mask"].is_null()).collect();
    assert_eq!(marked.len(), 3, "at each of the gnome's levels");
    assert_eq!(marked[0]["extras"]["posegrid"]["mask"], "eyes");
    assert_eq!(marked[0]["extensions"]["KHR_node_visibility"]["visible"], false);
}

#[test]
fn a_mask_that_there_is_not_is_refused_with_the_choices() {
    let (text, line) = changed("[[body.part]]", "[[body.part]]\nmask = \"eye\"");
    let fault = fault(&text);
    assert_eq!((fault.line, fault.message.as_str()), (line + 1, "unknown mask \"eye\""));
    assert!(fault.hint.unwrap().contains("face, eyes"));
}
