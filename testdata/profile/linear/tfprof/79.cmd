op -select input_shapes,occurrence -order_by occurrence -step 1
