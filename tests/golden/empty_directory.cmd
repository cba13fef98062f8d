# empty
lt
