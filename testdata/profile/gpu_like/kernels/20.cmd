memory
