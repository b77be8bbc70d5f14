//! Write JSON as people read it: what fits on a line is on one line.

use serde::Serialize;

/// Longest line, in characters.
const WIDTH: usize = 120;

/// The value as JSON, keys in the order of its fields, with a line break at its end.
pub(super) fn json<T: Serialize>(value: &T) -> String {
    let pretty = serde_json::to_string_pretty(value).expect("a truth has only finite numbers and names as keys");
    joined(&pretty)
}

/// A bracket that is open: where its first line is among the lines so far, how deep it is indented, and
/// how long it would be on one line.
struct Open {
    line: usize,
    short: usize,
}

/// Puts every bracket on one line that fits there.
fn joined(pretty: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for line in pretty.lines() {
        let bare = line.trim_start();
        if let Some(outer) = open.last_mut() {
            outer.short += bare.len() + 1;
        }
        lines.push(line.to_owned());
        if bare.ends_with(['[', '{']) {
            open.push(Open { line: lines.len() - 1, short: line.len() });
        } else if bare.starts_with([']', '}']) {
            close(&mut lines, &mut open);
        }
    }
    lines.join("\n") + "\n"
}

/// Ends the innermost bracket, joining its lines where they fit.
fn close(lines: &mut Vec<String>, open: &mut Vec<Open>) {
    let Some(own) = open.pop() else { return };
    let first = lines[own.line].len();
    if own.short <= WIDTH {
        let tail: Vec<String> = lines.drain(own.line + 1..).map(|line| line.trim_start().to_owned()).collect();
        let (last, inner) = tail.split_last().expect("a bracket that ends has a last line");
        // Arrays hug what they hold, objects do not.
        let space = if last.starts_with('}') { " " } else { "" };
        lines[own.line] = format!("{}{space}{}{space}{last}", lines[own.line], inner.join(" "));
    }
    if let Some(outer) = open.last_mut() {
        outer.short += own.short - first;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn short_lists_are_lines_and_long_ones_are_not() {
        let value = json!({ "a": [1.5, 2, 3], "b": (0..60).collect::<Vec<_>>(), "c": [{ "d": [1] }, { "d": [] }] });
        let text = super::json(&value);
        assert!(text.starts_with("{\n  \"a\": [1.5, 2, 3],\n  \"b\": [\n    0,\n"), "{text}");
        assert!(text.ends_with("\n  \"c\": [{ \"d\": [1] }, { \"d\": [] }]\n}\n"), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn brackets_in_strings_are_left_alone() {
        let value = json!({ "a": ["[", "}", "x\ny ["] });
        assert_eq!(super::json(&value), "{ \"a\": [\"[\", \"}\", \"x\\ny [\"] }\n");
    }
}
