#ifndef CMDS_PROGRAM_GRAPH_NAMES_H
#define CMDS_PROGRAM_GRAPH_NAMES_H

#include "cmds/doc/table.h"
#include "dump/model/program.h"

/* How graphs, modes and dtypes of a recorded program are named. */

/* Its name, "" if it is not a function; NULL: not recorded. */
const char *name_of_graph(const struct program *program, uint32_t graph);
/* "train_step", or the first 8 characters of its id if it has no name. */
void put_graph_short(struct str *out, const struct program *program, uint32_t graph);
/*
 * This one and those around it, without those that have no name: how many, and how many more there
 * are around them, if there was no room.
 */
enum { NAMED_PATH_MAX = 16 };
size_t named_path(const struct program *program, uint32_t graph, uint32_t path[NAMED_PATH_MAX],
                  size_t *more);
/* "cross_entropy < train_step", the path in words. */
void put_graph_path(struct str *out, const struct program *program, uint32_t graph);
/*
 * The ids from the outermost graph to this one, a list; of very many the last 256. Of PROGRAM_NONE
 * an empty one.
 */
void graph_put_chain(const struct program *program, uint32_t graph, struct data *data);

/* "CONCISE_HEALTH", or the number if the mode has no name. */
void mode_put_data(int64_t mode, struct data *data);
void put_mode_name(struct str *out, int64_t mode);

/* A shape, with null for dimensions that are not recorded: [null,3]. */
void shape_put_data(const struct shape *shape, struct data *data);
/* The dtype's name, or its number if it has none. */
void dtype_put_cell(uint32_t dtype, struct cell *cell);

/* The device of a trace or of an output. NULL: not recorded. */
const char *tensor_device(const struct program *program, const struct program_tensor *tensor);

#endif
