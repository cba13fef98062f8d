#include "dump/arrays/npy.h"

const struct array_format *const array_formats[] = { &array_npy, NULL };
