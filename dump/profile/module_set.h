#ifndef DUMP_MODULE_SET_H
#define DUMP_MODULE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/model/graph.h"

/*
 * Compiled programs, by whose instructions a trace names what ran: as they are called, or, as a
 * kernel, with '_' for each '.' and '-'. Start with NULL.
 */
struct module_set;

/* Takes the graph of a module; what was added first is found first. */
void module_set_add(struct module_set **set, struct graph *graph);
void module_set_free(struct module_set *set);            /* closes the graphs; NULL: nothing */

/* The graph and the node of what has this name; false: nothing has. Any thread. */
bool module_set_find(const struct module_set *set, const char *name, const struct graph **graph,
                     uint32_t *node);

#endif
