//! The tables of docs/kit-measures.md: compare one with what was measured, or write it anew.

use std::fs;
use std::sync::Mutex;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/kit-measures.md");

/// One writer at a time.
static BLESSING: Mutex<()> = Mutex::new(());

/// A table with its numbers as text.
pub(crate) struct Table<'a> {
    pub(crate) heads: Vec<&'a str>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table<'_> {
    fn text(&self) -> String {
        let row = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        let mut text = row(self.heads.clone()) + &format!("|{}\n", "---|".repeat(self.heads.len()));
        self.rows.iter().for_each(|cells| text += &row(cells.iter().map(String::as_str).collect()));
        text
    }

    /// Fails where the document's table of that name says anything else.
    pub(crate) fn is_in_the_document(&self, name: &str) {
        let _one = BLESSING.lock().unwrap();
        let document = fs::read_to_string(DOCUMENT).unwrap();
        let (start, end) = (format!("<!-- measured: {name} -->\n"), format!("<!-- end: {name} -->"));
        let from = document.find(&start).unwrap_or_else(|| panic!("no {start:?} in {DOCUMENT}")) + start.len();
        let to = from + document[from..].find(&end).unwrap_or_else(|| panic!("no {end:?} in {DOCUMENT}"));
        let measured = self.text();
        if std::env::var_os("POSEGRID_BLESS").is_some_and(|value| value == "1") {
            fs::write(DOCUMENT, format!("{}{measured}{}", &document[..from], &document[to..])).unwrap();
            return;
        }
        let stated = &document[from..to];
        let differ: Vec<String> = std::iter::zip(stated.lines(), measured.lines())
            .filter(|(stated, measured)| stated != measured)
            .map(|(stated, measured)| format!("  stated   {stated}\n  measured {measured}"))
            .collect();
        assert!(
            stated == measured,
            "docs/kit-measures.md, table {name:?}: {} rows stated, {} measured; these differ:\n{}\n\
             Right after a change that was meant? POSEGRID_BLESS=1 cargo test --test kit_measures",
            stated.lines().count(),
            measured.lines().count(),
            differ.join("\n")
        );
    }
}
