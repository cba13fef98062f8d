dot merged
