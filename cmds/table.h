#ifndef CMDS_TABLE_H
#define CMDS_TABLE_H

#include "cmds/doc/doc.h"

/*
 * All commands, one row each: the roof of cmds/. main() calls this before anything else, to fill
 * cmds/lang/registry.h.
 */
void table_register(void);

/* The keys that views bring and that have a heading, in the order of the man page. */
extern const struct doc_keys *const doc_keys_table[];
extern const size_t n_doc_keys;

#endif
