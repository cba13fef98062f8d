op -select input_shapes -step 1 -account_type_regexes Neg,StridedSlice,Const
