#ifndef DUMP_KNOWN_VALUE_H
#define DUMP_KNOWN_VALUE_H

#include "dump/model/origin_value.h"
#include "dump/summary/whole.h"

/*
 * What is known of a tensor of a summary, as a reader of dumps has to tell it: tensor->where is its
 * struct whole_value, run->kept the whole.
 */

/* These are members of struct reader. */
struct value *known_value(const struct run *run, const struct tensor *tensor, struct err *err);
void known_told(const struct tensor *tensor, struct origin_health *out);
void known_facts(const struct tensor *tensor, struct array_facts *out);
void known_file(const struct run *run, const struct tensor *tensor, struct str *out);

#endif
