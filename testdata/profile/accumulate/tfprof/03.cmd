op -select micros -step 0
