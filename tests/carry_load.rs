//! Props brought into the load frame.

#[expect(dead_code, reason = "other test files use the rest")]
#[path = "anatomy_body/mod.rs"]
mod anatomy_body;

use anatomy_body::{add_vertex, model, node};
use glam::{Mat4, Vec3};
use posegrid::asset::{Mesh, Model, Node, Primitive};
use posegrid::base::{Finding, MeshIndex};
use posegrid::carry::{LoadShape, load_from_model};
use posegrid::rig::{rest_pose, skin};

fn prop(points: &[Vec3]) -> Model {
    let mut primitive = Primitive::default();
    points.iter().for_each(|point| add_vertex(&mut primitive, *point, 0));
    let drawn = Node { mesh: Some(MeshIndex(0)), ..node("keg", None) };
    model(vec![drawn], vec![Mesh { name: None, primitives: vec![primitive] }], Vec::new())
}

fn frame(model: &Model) -> Result<(Mat4, Vec<Finding>), Finding> {
    load_from_model(model, &skin(model, &rest_pose(model)))
}

#[test]
fn a_raw_prop_gets_its_base_down_its_back_face_to_zero_and_its_middle_to_the_axis() {
    let (load_from_model, findings) = frame(&prop(&[Vec3::new(1.0, -2.0, 3.0), Vec3::new(5.0, 1.0, 4.0)])).unwrap();
    assert_eq!(load_from_model.transform_point3(Vec3::new(1.0, -2.0, 3.0)), Vec3::new(-2.0, 0.0, 0.0));
    assert_eq!(load_from_model.transform_point3(Vec3::new(5.0, 1.0, 4.0)), Vec3::new(2.0, 3.0, 1.0));
    assert_eq!(findings[0].code, "LOAD_NOT_PREPARED");
}

#[test]
fn a_prepared_prop_is_left_alone() {
    let (load_from_model, findings) = frame(&prop(&[Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 3.0, 1.0)])).unwrap();
    assert_eq!(load_from_model, Mat4::IDENTITY);
    assert!(findings.is_empty());
}

#[test]
fn a_prop_without_extent_is_an_error() {
    for points in [&[][..], &[Vec3::ONE], &[Vec3::ZERO, Vec3::X], &[Vec3::ZERO, Vec3::INFINITY]] {
        assert_eq!(frame(&prop(points)).unwrap_err().code, "LOAD_EMPTY");
    }
}

#[test]
fn a_shape_is_the_size_of_its_box() {
    let shape = LoadShape::of((Vec3::new(-2.0, 0.0, 0.0), Vec3::new(2.0, 3.0, 1.0)));
    assert_eq!(shape, LoadShape { width: 4.0, height: 3.0, depth: 1.0, breadths: 1.0 });
}
