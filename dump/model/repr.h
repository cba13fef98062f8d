#ifndef DUMP_REPR_H
#define DUMP_REPR_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/vec.h"

/*
 * Elements of what Session.run() was asked for, or fed, by the text that Python's repr() gave of
 * it. Lists, tuples, named tuples and dictionaries are containers, whose elements are taken one by
 * one; a dictionary's keys are not elements. Any text is taken: what has no known form is one
 * element.
 * Source: get_flattened_names and get_graph_element_name of tensorflow/python/debug/lib/common.py.
 */
enum repr_kind {
	REPR_NAMED,              /* a tensor, operation or variable: its name */
	REPR_STRING,             /* a string: what is in the quotes */
	REPR_TEXT,               /* its own text, as str() gives it too; tensors are named in it */
	REPR_OBJECT,             /* an object whose text names no tensors, or not all: the text */
};

struct repr_element {
	enum repr_kind kind;
	bool is_variable;        /* what is fetched has another name then */
	bool is_alone;           /* the text is this element and no container */
	const char *at;          /* in the text that was read */
	size_t len;
};

typedef VEC(struct repr_element) repr_elements;

void repr_values(const char *text, repr_elements *out);  /* the text is a value: its elements */
/* the text is a dictionary or its keys: these, no tuple is opened */
void repr_keys(const char *text, repr_elements *out);

/* The tensors that are named in an element of kind REPR_TEXT. */
void repr_tensors(const struct repr_element *element, repr_elements *out);

#endif
