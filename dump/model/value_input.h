#ifndef DUMP_VALUE_INPUT_H
#define DUMP_VALUE_INPUT_H

#include "dump/model/value.h"

/* The elements of a value that lie in an input; for dump/model/value.c alone. */
struct value_input;

/* Takes over the input, also if it fails. NULL: some element is not in it, or *err. */
struct value_input *value_input_new(struct input *input, const struct shape *shape,
                                    uint64_t count, size_t elem_bytes,
                                    const struct value_layout *layout, struct err *err);
void value_input_free(struct value_input *in);           /* NULL: nothing */

/* How many elements have room where they all lie. */
uint64_t value_input_distinct(const struct value_input *in);
/* Elements are counted as if the shape were this one, which has fewer indexes on some axes. */
void value_input_reshape(struct value_input *in, const struct shape *shape);

/* n elements from the first-th on, as they are stored; not of texts. */
bool value_input_read(struct value_input *in, uint64_t first, size_t n, unsigned char *out,
                      struct err *err);
/* The i-th text, good until the next one. */
bool value_input_text(struct value_input *in, uint64_t i, const char **text, size_t *len,
                      struct err *err);

#endif
