//! Pages as files: what is on them, what is not, and that their bytes depend on the cells alone.

#![expect(clippy::unwrap_used, reason = "functions beside the tests are tests too")]

mod sheet_fixtures;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use posegrid::base::Digest;
use posegrid::plan::Plan;
use posegrid::run::{CellResult, Made, Outcome};
use posegrid::sheet::{Book, Bound, Layout, Provenance, SheetError};
use posegrid::study::{Study, Theme};
use sheet_fixtures::{COLUMNS, hole, made, plan, study};

const PAPER: [u8; 3] = [0xF6, 0xF6, 0xF4];

fn provenance(warnings: &[&str]) -> Provenance {
    Provenance {
        study: "carry".to_owned(),
        version: "0.1.0".to_owned(),
        adapter: "llvmpipe".to_owned(),
        date: None,
        warnings: warnings.iter().map(|warning| (*warning).to_owned()).collect(),
    }
}

/// Noise that no other cell has, so that a cell can be found on a page.
fn noise(cell: usize, [w, h]: [u32; 2]) -> CellResult {
    let mut state = cell as u32 + 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    let rgb: Vec<u8> = (0..w * h * 3).map(|_| next()).collect();
    let CellResult { outcome: Outcome::Made(like), .. } = made(cell, [w, h]) else { panic!("made() makes") };
    let digest = Digest::of(&rgb);
    CellResult { cell, outcome: Outcome::Made(Box::new(Made { rgb, digest, ..*like })) }
}

fn bind(folder: &Path, study: &Study, plan: &Plan, results: &[CellResult], early: &[&str], late: &[&str]) -> Bound {
    let mut book = Book::open(folder, Layout::new(study, plan), &COLUMNS, provenance(early)).unwrap();
    for result in results {
        book.place(result).unwrap();
    }
    book.finish(&late.iter().map(|warning| (*warning).to_owned()).collect::<Vec<_>>()).unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn picture(path: &Path) -> image::RgbImage {
    image::open(path).unwrap().into_rgb8()
}

/// Top left corner of the only place where `page` shows `rgb`.
fn find(page: &image::RgbImage, [w, h]: [u32; 2], rgb: &[u8]) -> Vec<[u32; 2]> {
    let row = w as usize * 3;
    let line = |x: u32, y: u32| &page.as_raw()[(y * page.width() + x) as usize * 3..][..row];
    let matches = |x: u32, y: u32| (0..h).all(|down| line(x, y + down) == &rgb[down as usize * row..][..row]);
    let corners = (0..page.height() - h).flat_map(|y| (0..page.width() - w).map(move |x| [x, y]));
    corners.filter(|[x, y]| matches(*x, *y)).collect()
}

fn rgb_of(result: &CellResult) -> &[u8] {
    match &result.outcome {
        Outcome::Made(made) => &made.rgb,
        Outcome::Hole(reason) => panic!("{reason}"),
    }
}

#[test]
fn every_cell_is_on_the_page_pixel_for_pixel_in_the_order_of_the_axes() {
    let study = study(&[("a", &["1", "2", "3"]), ("b", &["x", "y"])], &["a"], &["b"], &[], [40, 24]);
    let plan = plan(&study, |_| true);
    let results: Vec<_> = (0..6).map(|cell| noise(cell, [40, 24])).collect();
    let folder = tempfile::tempdir().unwrap();
    let bound = bind(folder.path(), &study, &plan, &results, &[], &[]);
    assert_eq!(bound.files, ["sheet-01.png"]);
    let page = picture(&folder.path().join("sheet-01.png"));
    let places: Vec<_> = results.iter().map(|result| find(&page, [40, 24], rgb_of(result))).collect();
    assert!(places.iter().all(|found| found.len() == 1), "{places:?}");
    let at = |cell: usize| places[cell][0];
    for row in 0..3 {
        assert_eq!(at(row * 2)[1], at(row * 2 + 1)[1]);
        assert!(at(row * 2)[0] < at(row * 2 + 1)[0]);
    }
    assert!(at(0)[1] < at(2)[1] && at(2)[1] < at(4)[1]);
    assert_eq!([at(0)[0], at(1)[0]], [at(4)[0], at(5)[0]]);
}

#[test]
fn the_bytes_of_a_page_do_not_depend_on_the_order_of_its_cells() {
    let axes: [(&str, &[&str]); 3] = [("v", &["p", "q"]), ("a", &["1", "2", "3"]), ("b", &["x", "y"])];
    let mut study = study(&axes, &["a"], &["b"], &["v"], [32, 32]);
    study.sheet.captions = vec!["name".to_owned(), "luma8_sd".to_owned()];
    let plan = plan(&study, |_| true);
    let mut results: Vec<_> = (0..12).map(|cell| if cell == 7 { hole(cell) } else { made(cell, [32, 32]) }).collect();
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    bind(one.path(), &study, &plan, &results, &["w"], &[]);
    results.reverse();
    results.swap(2, 9);
    bind(other.path(), &study, &plan, &results, &["w"], &[]);
    assert_eq!(files(one.path()).keys().collect::<Vec<_>>(), ["overview.png", "sheet-01.png", "sheet-02.png"]);
    assert!(files(one.path()) == files(other.path()));
}

#[test]
fn a_warning_that_comes_late_gives_the_same_bytes_as_one_known_from_the_start() {
    let study = study(&[("v", &["p", "q"]), ("a", &["1", "2"])], &["a"], &[], &["v"], [48, 48]);
    let plan = plan(&study, |_| true);
    let results: Vec<_> = (0..4).map(|cell| made(cell, [48, 48])).collect();
    let warning = "Fox.glb: KHR_materials_sheen not honoured, and this goes on for longer than one line has room for";
    let (early, late, never) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    bind(early.path(), &study, &plan, &results, &[warning], &[]);
    bind(late.path(), &study, &plan, &results, &[], &[warning]);
    bind(never.path(), &study, &plan, &results, &[], &[]);
    assert!(files(early.path()) == files(late.path()));
    let [with, without] = [&early, &never].map(|folder| picture(&folder.path().join("sheet-01.png")));
    assert!(with.height() > without.height(), "a warning is wrapped, not cut");
}

#[test]
fn a_cell_that_the_plan_lacks_is_paper_and_a_failed_one_is_marked() {
    let study = study(&[("a", &["1", "2"]), ("b", &["x", "y"])], &["a"], &["b"], &[], [64, 64]);
    let plan = plan(&study, |values| values != [1, 0]);
    let results = [noise(0, [64, 64]), noise(1, [64, 64]), hole(2)];
    let folder = tempfile::tempdir().unwrap();
    bind(folder.path(), &study, &plan, &results, &[], &[]);
    let page = picture(&folder.path().join("sheet-01.png"));
    let [first, second] = [0, 1].map(|cell| find(&page, [64, 64], rgb_of(&results[cell]))[0]);
    let paper_share = |[left, _]: [u32; 2]| {
        let below = first[1] + 64 + (64 / 32);
        let pixels = (0..64 * 64).map(|at| page.get_pixel(left + at % 64, below + at / 64).0);
        pixels.filter(|pixel| *pixel == PAPER).count()
    };
    assert_eq!(paper_share(first), 64 * 64);
    assert_eq!(paper_share(second), 0);
}

/// The page of a study of one cell, which has this picture.
fn page_of_one(tile: [u32; 2], cell: &CellResult) -> image::RgbImage {
    let study = study(&[("a", &["1"])], &["a"], &[], &[], tile);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    bind(folder.path(), &study, &plan, std::slice::from_ref(cell), &[], &[]);
    picture(&folder.path().join("sheet-01.png"))
}

/// Twice 16 is 32: in 50 by 40 that leaves 9 at either side and 4 above and below. Linear 0.18 is 118.
#[test]
fn a_small_picture_is_enlarged_by_a_whole_number_and_centred_on_its_own_background() {
    let small = noise(0, [16, 16]);
    let doubled: Vec<u8> = rgb_of(&small)
        .chunks_exact(48)
        .flat_map(|row| row.chunks_exact(3).flat_map(|p| [p, p].concat()).collect::<Vec<_>>().repeat(2))
        .collect();
    for (tile, rim) in [([50, 40], [9, 4]), ([40, 50], [4, 9])] {
        let page = page_of_one(tile, &small);
        let [x, y] = find(&page, [32, 32], &doubled)[0].map(|side| side as i32);
        let grey = |dx: i32, dy: i32| page.get_pixel((x + dx) as u32, (y + dy) as u32).0 == [118; 3];
        assert!(grey(-1, 0) && grey(-rim[0], 0) && grey(31 + rim[0], 0), "{tile:?}");
        assert!(grey(0, -1) && grey(0, -rim[1]) && grey(0, 31 + rim[1]), "{tile:?}");
        assert!(!grey(-rim[0] - 1, 0) && !grey(32 + rim[0], 0), "{tile:?}");
        assert!(!grey(0, -rim[1] - 1) && !grey(0, 32 + rim[1]), "{tile:?}");
    }
}

/// 100 by 50 fits 40 by 40 as 40 by 20, with 10 of background above and below.
#[test]
fn a_picture_larger_than_its_place_is_shrunk_to_fit_it() {
    let CellResult { outcome: Outcome::Made(mut large), .. } = made(0, [100, 50]) else { panic!("made() makes") };
    large.rgb = [200, 30, 60].repeat(100 * 50);
    let page = page_of_one([40, 40], &CellResult { cell: 0, outcome: Outcome::Made(large) });
    let count = |colour: [u8; 3]| page.pixels().filter(|pixel| pixel.0 == colour).count();
    assert_eq!(count([200, 30, 60]), 40 * 20);
    assert_eq!(count([118; 3]), 40 * 20);
}

#[test]
fn a_long_sheet_is_cut_into_pages_that_keep_the_limit_and_all_cells() {
    let names: Vec<String> = (0..60).map(|at| format!("n{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut study = study(&[("who", &names), ("pose", &names[..30])], &["who"], &["pose"], &[], [32, 32]);
    study.sheet.max_page_px = 800;
    let plan = plan(&study, |_| true);
    let layout = Layout::new(&study, &plan);
    let mut order = layout.order();
    let pages: Vec<usize> = order.iter().map(|&cell| layout.page_of(cell).unwrap().0).collect();
    assert!(pages.is_sorted() && pages.last() > Some(&3));
    order.sort_unstable();
    assert!(order.into_iter().eq(0..1800));
    let results: Vec<_> = layout.order().iter().map(|&cell| made(cell, [32, 32])).collect();
    let folder = tempfile::tempdir().unwrap();
    let bound = bind(folder.path(), &study, &plan, &results, &["w"], &[]);
    assert_eq!(bound.files.len(), pages.last().unwrap() + 2);
    for file in &bound.files {
        let page = picture(&folder.path().join(file));
        assert!(page.width().max(page.height()) <= 800, "{file} is {} by {}", page.width(), page.height());
    }
}

#[test]
fn ten_thousand_cells_hold_one_row_at_a_time() {
    let names: Vec<String> = (0..100).map(|at| format!("n{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let study = study(&[("a", &names), ("b", &names)], &["a"], &["b"], &[], [16, 16]);
    let plan = plan(&study, |_| true);
    let layout = Layout::new(&study, &plan);
    let order = layout.order();
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(folder.path(), layout, &COLUMNS, provenance(&[])).unwrap();
    let mut most = 0;
    for cell in order {
        book.place(&made(cell, [16, 16])).unwrap();
        most = most.max(book.rows_in_memory());
    }
    assert_eq!(most, 1);
    assert_eq!(book.finish(&[]).unwrap().unmade, Vec::<usize>::new());
}

#[test]
fn a_sheet_says_which_cells_never_came_and_is_written_all_the_same() {
    let study = study(&[("v", &["p", "q"]), ("a", &["1", "2"])], &["a"], &[], &["v"], [64, 64]);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    let bound = bind(folder.path(), &study, &plan, &[made(1, [64, 64])], &[], &["late"]);
    assert_eq!(bound.unmade, [0, 2, 3]);
    assert_eq!(files(folder.path()).len(), 3);
}

#[test]
fn pages_of_a_larger_run_are_removed_and_other_files_are_not() {
    let study = study(&[("a", &["1"])], &["a"], &[], &[], [32, 32]);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    for name in ["sheet-02.png", "sheet-117.png", "overview.png", "sheet-x.png", "sheet-3.png", "notes.txt"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    bind(folder.path(), &study, &plan, &[made(0, [32, 32])], &[], &[]);
    let left: Vec<_> = files(folder.path()).into_keys().collect();
    assert_eq!(left, ["notes.txt", "sheet-01.png", "sheet-3.png", "sheet-x.png"]);
}

#[test]
fn a_page_has_an_srgb_chunk_and_no_time_or_text() {
    let study = study(&[("a", &["1"])], &["a"], &[], &[], [32, 32]);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    bind(folder.path(), &study, &plan, &[made(0, [32, 32])], &[], &[]);
    let bytes = fs::read(folder.path().join("sheet-01.png")).unwrap();
    let (mut at, mut kinds) = (8, Vec::new());
    while at < bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        kinds.push(String::from_utf8(bytes[at + 4..at + 8].to_vec()).unwrap());
        at += 12 + length;
    }
    kinds.dedup();
    kinds.retain(|kind| kind != "gAMA" && kind != "cHRM");
    assert_eq!(kinds, ["IHDR", "sRGB", "IDAT", "IEND"]);
}

#[test]
fn the_day_is_on_a_sheet_only_if_the_study_asks() {
    let mut study = study(&[("a", &["1"])], &["a"], &[], &[], [32, 32]);
    let plan = plan(&study, |_| true);
    let mut bytes = |date: bool, day: &str| {
        study.sheet.date = date;
        let provenance = Provenance { date: Some(day.to_owned()), ..provenance(&[]) };
        let folder = tempfile::tempdir().unwrap();
        let mut book = Book::open(folder.path(), Layout::new(&study, &plan), &COLUMNS, provenance).unwrap();
        book.place(&made(0, [32, 32])).unwrap();
        book.finish(&[]).unwrap();
        fs::read(folder.path().join("sheet-01.png")).unwrap()
    };
    assert!(bytes(false, "2026-01-02") == bytes(false, "2026-11-30"));
    assert!(bytes(true, "2026-01-02") != bytes(true, "2026-11-30"));
}

#[test]
fn a_theme_changes_the_paper_and_not_the_cells() {
    let mut study = study(&[("a", &["1"])], &["a"], &[], &[], [32, 32]);
    study.sheet.theme = Theme::Dark;
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    let cell = noise(0, [32, 32]);
    bind(folder.path(), &study, &plan, std::slice::from_ref(&cell), &[], &[]);
    let page = picture(&folder.path().join("sheet-01.png"));
    assert_eq!(find(&page, [32, 32], rgb_of(&cell)).len(), 1);
    assert!(page.get_pixel(0, 0).0.iter().all(|channel| *channel < 40));
}

#[test]
fn a_result_that_does_not_belong_is_refused() {
    let study = study(&[("a", &["1", "2"])], &["a"], &[], &[], [8, 8]);
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    let mut book = Book::open(folder.path(), Layout::new(&study, &plan), &COLUMNS, provenance(&[])).unwrap();
    assert!(matches!(book.place(&made(2, [8, 8])), Err(SheetError::NoPlace { cell: 2 })));
    book.place(&made(0, [8, 8])).unwrap();
    assert!(matches!(book.place(&made(0, [8, 8])), Err(SheetError::PlacedTwice { cell: 0 })));
    let mut short = made(1, [8, 8]);
    if let Outcome::Made(made) = &mut short.outcome {
        made.rgb.pop();
    }
    assert!(matches!(book.place(&short), Err(SheetError::WrongLength { bytes: 191, needed: 192, .. })));
}

#[test]
fn a_wrong_caption_is_refused_before_anything_is_written() {
    let mut study = study(&[("a", &["1"])], &["a"], &[], &[], [8, 8]);
    study.sheet.captions = vec!["luma8_ds".to_owned()];
    let plan = plan(&study, |_| true);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let error = Book::open(&target, Layout::new(&study, &plan), &COLUMNS, provenance(&[])).unwrap_err();
    assert_eq!(error.to_string(), "no reading named \"luma8_ds\" for a caption");
    assert!(error.hint().unwrap().starts_with("did you mean \"luma8_sd\"?"));
    assert!(!target.exists());
}
