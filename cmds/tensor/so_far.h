#ifndef CMDS_SO_FAR_H
#define CMDS_SO_FAR_H

#include "cmds/doc/doc.h"
#include "dump/model/run.h"

/*
 * The list of tensors while the directory is still being read: how many, and the first of them in
 * the order in which they are found. Columns, order and op types are final once all is read. Call
 * it only from the tick of run_load.
 */
struct doc *so_far_doc(const struct run *run);

#endif
