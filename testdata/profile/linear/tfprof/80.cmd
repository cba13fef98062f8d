op -select occurrence,micros -min_occurrence -1
