//! Take triangles away where they are missed least.
//!
//! Reads: closed meshes and how many triangles are wanted in all. Writes: closed meshes with about that
//! many. Pure.
//!
//! One queue serves all parts of a body, so that a plain sleeve gives its triangles to a nose. An edge's
//! price is the squared distance moved, area-weighted, and more where the edge is long or its ends move
//! with different bones or differ in colour: elbows and painted cheeks keep theirs.
//!
//! Source: M. Garland, P. Heckbert, "Surface Simplification Using Quadric Error Metrics", SIGGRAPH 97,
//! pp. 209-216, doi:10.1145/258734.258849. Ours adds the two terms above, pulls the new vertex gently to
//! the edge's middle, and refuses edges whose removal would pinch the surface or turn a triangle over.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use glam::{DMat3, DVec3};

use super::shell::Shell;

/// Price of an edge of length 1 for its length alone, and for each unit of difference in `feel`.
const PRICE_OF_LENGTH: f64 = 0.001;
const PRICE_OF_FEEL: f64 = 0.03;
/// More triangles than this at one vertex are refused.
const MOST_AT_A_VERTEX: usize = 11;

/// A mesh to be thinned.
pub(super) struct Fine {
    pub shell: Shell,
    /// Per vertex, what must stay apart: bone weights and colours.
    pub feel: Vec<Vec<f32>>,
    /// Per vertex, how much more its detail is worth than another's.
    pub keep: Vec<f64>,
}

/// The meshes with about `budget` triangles in all; normals are as they were and want renewing.
pub(super) fn thin(pieces: Vec<Fine>, budget: usize) -> Vec<Shell> {
    let counts: Vec<usize> = pieces.iter().map(|piece| piece.shell.positions.len()).collect();
    let mut mesh = Thinning::new(pieces);
    while mesh.alive > budget && mesh.step() {}
    mesh.finish(&counts)
}

struct Thinning {
    vertices: Vec<Vertex>,
    /// Corners, `None` once gone.
    faces: Vec<Option<[usize; 3]>>,
    alive: usize,
    queue: BinaryHeap<Reverse<Edge>>,
}

struct Vertex {
    at: DVec3,
    normal: DVec3,
    quadric: Quadric,
    feel: Vec<f32>,
    keep: f64,
    faces: Vec<usize>,
    /// Counts changes, so that an old price is known as such.
    age: u32,
    gone: bool,
}

struct Edge {
    price: f64,
    ends: (usize, usize),
    ages: (u32, u32),
}

impl Thinning {
    fn new(pieces: Vec<Fine>) -> Self {
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        for piece in pieces {
            let first = vertices.len();
            let Shell { positions, normals, triangles } = piece.shell;
            let worth = std::iter::zip(piece.feel, piece.keep);
            for ((at, normal), (feel, keep)) in std::iter::zip(std::iter::zip(positions, normals), worth) {
                let quadric = Quadric::NONE;
                vertices.push(Vertex { at, normal, quadric, feel, keep, faces: Vec::new(), age: 0, gone: false });
            }
            faces.extend(triangles.iter().map(|corners| Some(corners.map(|corner| first + corner as usize))));
        }
        for (face, corners) in faces.iter().flatten().enumerate() {
            let quadric = Quadric::of_plane(corners.map(|corner: usize| vertices[corner].at));
            for corner in corners {
                vertices[*corner].faces.push(face);
                vertices[*corner].quadric.add(&quadric);
            }
        }
        let alive = faces.len();
        let mut mesh = Self { vertices, faces, alive, queue: BinaryHeap::new() };
        for vertex in 0..mesh.vertices.len() {
            for other in mesh.neighbours(vertex).into_iter().filter(|other| *other > vertex) {
                mesh.offer(vertex, other);
            }
        }
        mesh
    }

    /// Takes the cheapest edge away; false when none is left.
    fn step(&mut self) -> bool {
        while let Some(Reverse(edge)) = self.queue.pop() {
            let (one, other) = edge.ends;
            let current = |at: usize, age: u32| !self.vertices[at].gone && self.vertices[at].age == age;
            if current(one, edge.ages.0) && current(other, edge.ages.1) && self.collapse(one, other) {
                return true;
            }
        }
        false
    }

    fn offer(&mut self, one: usize, other: usize) {
        let ends = (one.min(other), one.max(other));
        let ages = (self.vertices[ends.0].age, self.vertices[ends.1].age);
        let price = self.price(ends.0, ends.1);
        self.queue.push(Reverse(Edge { price, ends, ages }));
    }

    fn price(&self, one: usize, other: usize) -> f64 {
        let (a, b) = (&self.vertices[one], &self.vertices[other]);
        let moved = self.merged(one, other);
        let length = a.at.distance_squared(b.at);
        let apart: f64 = std::iter::zip(&a.feel, &b.feel).map(|(a, b)| f64::from((a - b) * (a - b))).sum();
        let shape = a.quadric.error(moved) + b.quadric.error(moved);
        a.keep.max(b.keep) * (shape + length * length * (PRICE_OF_LENGTH + PRICE_OF_FEEL * apart))
    }

    /// Where the two would meet.
    fn merged(&self, one: usize, other: usize) -> DVec3 {
        let (a, b) = (&self.vertices[one], &self.vertices[other]);
        let mut sum = a.quadric;
        sum.add(&b.quadric);
        sum.least(a.at.midpoint(b.at))
    }

    fn neighbours(&self, vertex: usize) -> Vec<usize> {
        let corners = self.vertices[vertex].faces.iter().filter_map(|face| self.faces[*face]);
        let mut found: Vec<usize> = corners.flatten().filter(|corner| *corner != vertex).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Merges `other` into `one`; false, and nothing done, where the surface would suffer.
    fn collapse(&mut self, one: usize, other: usize) -> bool {
        let (near_one, near_other) = (self.neighbours(one), self.neighbours(other));
        let shared: Vec<usize> = near_one.iter().copied().filter(|at| near_other.contains(at)).collect();
        let after = near_one.len() + near_other.len() - 4;
        let thin = shared.iter().any(|at| self.vertices[*at].faces.len() < 4);
        if shared.len() != 2 || thin || !(3..=MOST_AT_A_VERTEX).contains(&after) {
            return false;
        }
        let moved = self.merged(one, other);
        if self.turns_over(one, other, moved) || self.turns_over(other, one, moved) {
            return false;
        }
        self.merge(one, other, moved);
        for near in self.neighbours(one) {
            self.offer(one, near);
        }
        true
    }

    /// Whether moving `vertex` turns a triangle over that is not on the edge to `other`.
    fn turns_over(&self, vertex: usize, other: usize, moved: DVec3) -> bool {
        let corners = self.vertices[vertex].faces.iter().filter_map(|face| self.faces[*face]);
        corners.filter(|corners| !corners.contains(&other)).any(|corners| {
            let before = corners.map(|corner| self.vertices[corner].at);
            let after = corners.map(|corner| if corner == vertex { moved } else { self.vertices[corner].at });
            let (was, is) = (facing(before), facing(after));
            was.dot(is) < 0.35 * was.length() * is.length() || is.length() < 1e-6
        })
    }

    fn merge(&mut self, one: usize, other: usize, moved: DVec3) {
        let gone = std::mem::take(&mut self.vertices[other].faces);
        for face in gone {
            let Some(corners) = self.faces[face] else { continue };
            if corners.contains(&one) {
                self.faces[face] = None;
                self.alive -= 1;
                for corner in corners {
                    self.vertices[corner].faces.retain(|at| *at != face);
                }
            } else {
                self.faces[face] = Some(corners.map(|corner| if corner == other { one } else { corner }));
                self.vertices[one].faces.push(face);
            }
        }
        let quadric = self.vertices[other].quadric;
        let (feel, keep) = (std::mem::take(&mut self.vertices[other].feel), self.vertices[other].keep);
        self.vertices[other].gone = true;
        let kept = &mut self.vertices[one];
        kept.quadric.add(&quadric);
        kept.keep = kept.keep.max(keep);
        kept.at = moved;
        kept.age += 1;
        kept.feel.iter_mut().zip(feel).for_each(|(own, given)| *own = 0.5 * (*own + given));
    }

    /// What is left, part by part.
    fn finish(self, counts: &[usize]) -> Vec<Shell> {
        let mut first = 0;
        let mut faces = self.faces.iter().flatten().peekable();
        let mut out = Vec::with_capacity(counts.len());
        for count in counts {
            let last = first + count;
            let mut shell = Shell::default();
            let mut place = vec![0u32; *count];
            for (at, vertex) in self.vertices[first..last].iter().enumerate().filter(|(_, vertex)| !vertex.gone) {
                place[at] = u32::try_from(shell.positions.len()).expect("a part has far fewer than 2^32 vertices");
                shell.positions.push(vertex.at);
                shell.normals.push(vertex.normal);
            }
            while let Some(corners) = faces.next_if(|corners| corners[0] < last) {
                shell.triangles.push(corners.map(|corner| place[corner - first]));
            }
            out.push(shell);
            first = last;
        }
        out
    }
}

/// Normal with twice the triangle's area as its length.
fn facing([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Sum of squared distances to planes: `p A p + 2 b p + c`.
#[derive(Debug, Clone, Copy)]
struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    /// To no plane at all.
    const NONE: Self = Self { a: DMat3::ZERO, b: DVec3::ZERO, c: 0.0 };

    /// To one triangle's plane, weighted by a third of its area.
    fn of_plane(corners: [DVec3; 3]) -> Self {
        let facing = facing(corners);
        let area = 0.5 * facing.length();
        let normal = facing.normalize_or(DVec3::ZERO);
        let offset = -normal.dot(corners[0]);
        let weight = area / 3.0;
        let a = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z) * weight;
        Self { a, b: normal * (offset * weight), c: offset * offset * weight }
    }

    fn add(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }

    fn error(&self, at: DVec3) -> f64 {
        (at.dot(self.a * at) + 2.0 * self.b.dot(at) + self.c).max(0.0)
    }

    /// The point of least error, pulled gently towards `middle` so that there is always one.
    fn least(&self, middle: DVec3) -> DVec3 {
        let pull = 0.003 * (self.a.x_axis.x + self.a.y_axis.y + self.a.z_axis.z) + 1e-9;
        let matrix = self.a + DMat3::from_diagonal(DVec3::splat(pull));
        matrix.inverse() * (middle * pull - self.b)
    }
}

impl Ord for Edge {
    fn cmp(&self, other: &Self) -> Ordering {
        self.price
            .total_cmp(&other.price)
            .then_with(|| self.ends.cmp(&other.ends))
            .then_with(|| self.ages.cmp(&other.ages))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Edge {}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of side 2, each face cut in `2 * cuts * cuts` triangles, corners welded.
    fn cube(cuts: u32) -> Shell {
        let mut shell = Shell::default();
        for axis in 0..3 {
            for end in [-1.0, 1.0] {
                face(&mut shell, axis, end, cuts);
            }
        }
        shell.normals = shell.positions.iter().map(|at| at.normalize_or(DVec3::Y)).collect();
        shell
    }

    fn face(shell: &mut Shell, axis: usize, end: f64, cuts: u32) {
        let mut corner = |u: u32, v: u32| {
            let along = |step: u32| 2.0 * f64::from(step) / f64::from(cuts) - 1.0;
            let mut at = [0.0; 3];
            (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (end, along(u), along(v));
            let at = DVec3::from_array(at);
            let known = shell.positions.iter().position(|known| *known == at);
            known.unwrap_or_else(|| {
                shell.positions.push(at);
                shell.positions.len() - 1
            }) as u32
        };
        let mut triangles = Vec::new();
        for (u, v) in (0..cuts).flat_map(|u| (0..cuts).map(move |v| (u, v))) {
            let [a, b, c, d] = [corner(u, v), corner(u + 1, v), corner(u + 1, v + 1), corner(u, v + 1)];
            let halves = [[a, b, c], [a, c, d]];
            triangles.extend(if end > 0.0 { halves } else { halves.map(|[p, q, r]| [p, r, q]) });
        }
        shell.triangles.extend(triangles);
    }

    fn volume(shell: &Shell) -> f64 {
        let part = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|at| shell.positions[at as usize]);
            a.dot(b.cross(c)) / 6.0
        };
        shell.triangles.iter().map(part).sum()
    }

    fn plain(shell: Shell) -> Fine {
        let count = shell.positions.len();
        Fine { shell, feel: vec![Vec::new(); count], keep: vec![1.0; count] }
    }

    #[test]
    fn a_cube_loses_triangles_but_neither_volume_nor_closedness() {
        let shell = cube(8);
        assert!((volume(&shell) - 8.0).abs() < 1e-12);
        let thinned = thin(vec![plain(shell)], 120).remove(0);
        assert!(thinned.triangles.len() <= 120 && thinned.triangles.len() >= 100);
        assert!((volume(&thinned) - 8.0).abs() < 0.05, "{}", volume(&thinned));
        let mut uses = std::collections::BTreeMap::new();
        for corners in &thinned.triangles {
            for at in 0..3 {
                *uses.entry((corners[at], corners[(at + 1) % 3])).or_insert(0) += 1;
            }
        }
        assert!(uses.iter().all(|((a, b), count)| *count == 1 && uses.get(&(*b, *a)) == Some(&1)));
    }

    #[test]
    fn a_part_worth_more_keeps_more() {
        let (mut worthy, plain_one) = (plain(cube(8)), plain(cube(8)));
        worthy.keep.fill(10.0);
        let thinned = thin(vec![worthy, plain_one], 600);
        assert!(thinned[0].triangles.len() > thinned[1].triangles.len() + 100);
    }

    #[test]
    fn the_half_that_is_worth_more_keeps_more() {
        let mut halves = plain(cube(8));
        for (at, keep) in std::iter::zip(&halves.shell.positions, &mut halves.keep) {
            *keep = if at.x > 0.0 { 10.0 } else { 1.0 };
        }
        let thinned = thin(vec![halves], 300).remove(0);
        let right = thinned
            .triangles
            .iter()
            .filter(|corners| corners.iter().map(|at| thinned.positions[*at as usize].x).sum::<f64>() > 0.0);
        assert!(right.count() > 200);
    }
}
