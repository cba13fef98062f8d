#ifndef DUMP_HLO_ORDER_H
#define DUMP_HLO_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "dump/base/vec.h"

/*
 * The order in which HLO text has the computations of a module: each behind all that it calls, as
 * its instructions call them in the order of their ids. A HloProto has them in another order.
 */
struct hlo_call {
	uint32_t from, to;       /* computations, by their place in the file */
	uint64_t instruction;    /* its id */
	uint32_t place;          /* among what the instruction calls */
};
typedef VEC(struct hlo_call) hlo_calls;

/*
 * Puts the numbers of all n computations into order: what the entry reaches, then what is reached
 * from those that nothing calls, then the rest. Sorts the calls.
 */
void hlo_order(hlo_calls *calls, uint32_t n, uint32_t entry, uint32_t *order);

#endif
