//! Positions in different lists are different types, so that one cannot index another.

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The position as a slice index.
            pub fn at(self) -> usize {
                self.0 as usize
            }

            /// From a slice index.
            ///
            /// # Panics
            ///
            /// Past `u32::MAX`, which no list of a glTF file reaches.
            pub fn new(at: usize) -> Self {
                Self(u32::try_from(at).expect("a glTF list is shorter than 2^32"))
            }
        }
    };
}

index_type!(
    /// Position of a node in the glTF file. Never index a joint list with one.
    NodeIndex
);
index_type!(
    /// Position of a joint in its skin's joint list. Vertices count joints this way.
    JointIndex
);
index_type!(
    /// Position of a skin in the glTF file.
    SkinIndex
);
index_type!(
    /// Position of a mesh in the glTF file.
    MeshIndex
);
index_type!(
    /// Position of a material in the glTF file.
    MaterialIndex
);
index_type!(
    /// Position of a decoded image in the model.
    ImageIndex
);
index_type!(
    /// Position of an animation in the glTF file.
    ClipIndex
);
