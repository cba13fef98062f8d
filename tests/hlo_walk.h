#ifndef TESTS_HLO_WALK_H
#define TESTS_HLO_WALK_H

#include "dump/model/graph.h"

/* Asks a graph of a module for all it has; what does not fit together fails (MUST). */
void hlo_walk(struct graph *graph);

#endif
