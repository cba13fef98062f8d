#ifndef CMDS_DUMPS_H
#define CMDS_DUMPS_H

#include <stdint.h>

#include "dump/base/vec.h"
#include "dump/model/run.h"

/* Some of a run's tensors, as positions in run->tensors. vec_release(&dumps.at) when done. */
struct dumps {
	VEC(uint32_t) at;
};

/*
 * All dumps of a node in the order `ni -d` lists them: slots as the directory walk meets them, in a slot the debug
 * ops as text, in an op by time. device < 0: of every device.
 */
void dumps_of_node(const struct run *run, const char *node, int device, struct dumps *out);

#endif
