#ifndef CMDS_TABLE_H
#define CMDS_TABLE_H

#include "cmds/doc/doc.h"

/* All commands, a row each: the roof of cmds/. Makes them known to cmds/lang/registry.h; main() does so first. */
void table_register(void);

/* The keys that views bring and that have a heading, in the order of the man page. */
extern const struct doc_keys *const doc_keys_table[];
extern const size_t n_doc_keys;

#endif
