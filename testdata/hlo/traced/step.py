import jax


def step(a, b):
    # the step


    x = a * 2
    y = x + b
    return y.sum()
