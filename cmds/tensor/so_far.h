#ifndef CMDS_SO_FAR_H
#define CMDS_SO_FAR_H

#include "cmds/doc/doc.h"
#include "dump/model/run.h"

/*
 * The list of tensors while the directory is still being read: their number so far, and the first
 * ones in the order they were found. Column widths, order and op types are final only when all is
 * read. The caller frees the document. Call it only from the progress tick of run_load.
 */
struct doc *so_far_doc(const struct run *run);

#endif
