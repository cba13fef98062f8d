op -select input_shapes
