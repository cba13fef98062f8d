#ifndef CMDS_DUMPS_H
#define CMDS_DUMPS_H

#include <stdint.h>

#include "cmds/doc/data.h"
#include "dump/base/vec.h"
#include "dump/model/run.h"

/* Some of a run's tensors, as positions in run->tensors. vec_release(&dumps.at) when done. */
struct dumps {
	VEC(uint32_t) at;
};

/*
 * All dumps of a node in the order of `ni -d`: slots in the order of the directory walk, debug ops
 * in a slot as text, dumps of an op by time. device < 0: of every device.
 */
void dumps_of_node(const struct run *run, const char *node, int device, struct dumps *out);

/* The first columns of every typed list of tensors, put into an open object. */
#define TENSOR_KEYS "tensor,debug_op,dump,time_us,size_bytes"
void tensor_put_data(const struct run *run, const struct tensor *tensor, struct data *data);

#endif
