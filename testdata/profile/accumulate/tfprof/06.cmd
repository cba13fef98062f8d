op -select input_shapes,occurrence -show_name_regexes Neg
