//! Write a study for someone to start from.

/// A study named `name` with a comment on every part: the kit's workers, what they carry, in a few
/// poses and from two sides. It reads as it is.
pub fn starter(name: &str) -> String {
    let title = super::write::inline(&name);
    format!(
        r##"# A study: every combination of the axes below becomes one cell of the sheet.
# Paths are relative to this file; kit:... names the models that posegrid makes itself.

title = {title}

# What every cell starts from. An axis value that sets the same key wins over it.
[cell]
elevation = 10              # degrees above the head's height
style = "shaded"            # or "lambert", "flat", "outline"
light = "studio"            # or "noon", "15:30", {{ elevation = 40, azimuth = 30 }}
# height_m = 1.8            # scales a subject whose file has no metres

# Who. A value a file, named by the file's stem; replace the glob with your own models,
# such as files = "../models/*.glb" or a list of files.
[axes.worker]
files = "kit:workers/*"

# Wearing what.
[axes.load]
none = {{}}
gold = {{ load = "kit:loads/gold" }}

# In which pose. Two phases make two values: walk@0 and walk@0.25.
[axes.pose]
bind = {{}}
idle = {{ clip = "idle" }}
walk = {{ clip = "walk", at = [0, 0.25] }}

# Seen from where: 0 is the front, 90 its left, 180 from behind.
[axes.view]
front = {{ azimuth = 0 }}
three_quarter = {{ azimuth = 45 }}
behind = {{ azimuth = 180 }}

# Cells that are not wanted; [[only]] names those that are.
[[skip]]
pose = "bind"
view = ["three_quarter", "behind"]

[sheet]
rows = ["worker", "load"]
columns = ["pose", "view"]
cell = 256                  # pixels; or [width, height]
scale = "sheet"             # one scale for all, so that a small worker looks small
captions = ["luma8_sd"]     # readings under each cell
"##
    )
}
