#ifndef DUMP_PBTXT_SCHEMA_H
#define DUMP_PBTXT_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "dump/format/pbtxt.h"

/* The messages that pbtxt.c knows: names of fields, their numbers and types. */

enum pb_type { PB_INT, PB_BOOL, PB_FLOAT, PB_DOUBLE, PB_TEXT, PB_DTYPE, PB_MESSAGE };

struct pb_message;

struct pb_field {
	const char *name;
	uint32_t number;
	enum pb_type type;
	const struct pb_message *message;        /* PB_MESSAGE */
};

struct pb_message {
	const struct pb_field *fields;
	size_t n;
};

const struct pb_message *pb_root(enum pbtxt_root root);

#endif
