#ifndef CMDS_NODE_TEXT_H
#define CMDS_NODE_TEXT_H

#include "cmds/doc/doc.h"

/* Parts of the text of ni, whatever the node is of. */

/* "Node NAME", a blank line, "  Op: OP" */
void node_text_begin(struct doc *doc, const char *name, const char *op);

/*
 * A neighbour's line, "      [OP] NAME (NOTE)", with a link to its own ni; link: the words that
 * name it there. Without a link or a note these are NULL or "".
 */
void node_text_neighbour(struct doc *doc, const char *op, const char *name, const char *link,
                         const char *note);

/* The section of -d: how many there are. Their lines follow. */
void node_text_dumps(struct doc *doc, uint64_t n);

#endif
