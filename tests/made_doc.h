#ifndef TESTS_MADE_DOC_H
#define TESTS_MADE_DOC_H

#include "cmds/doc/doc.h"

/*
 * A body of as many rows as wanted; row k reads "row k", but every tenth is `long_cols` wide. Each
 * fifth has a link. It counts what is asked.
 */
struct made_body {
	struct body body;
	uint64_t rows, asked;
	size_t long_cols;
};

/* A document of nothing else, which owns it. out may be NULL. */
struct doc *made_doc(uint64_t rows, size_t long_cols, struct made_body **out);

#endif
