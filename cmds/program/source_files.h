#ifndef CMDS_PROGRAM_SOURCE_FILES_H
#define CMDS_PROGRAM_SOURCE_FILES_H

#include "cmds/graph/source.h"
#include "dump/model/program.h"

/* The source files of a recorded program, and what their lines made. */

/* Is it of TensorFlow's or Keras' own Python files? */
bool is_tensorflow_file(const char *path);

/*
 * The places of program->frames: file is file_of of the frame's source, or NO_FILE. A line that is
 * none is 0. The caller frees it.
 */
struct source_place *frame_places(const struct program *program, const uint32_t *file_of);

/* Numbers of tensors: all; those with NaN or Inf. */
struct n_tensors {
	uint32_t all, flagged;
};
/* Of the traces of each of program->nodes. The caller frees it. */
struct n_tensors *traces_of_nodes(const struct program *program);
struct n_tensors outputs_of_step(const struct program *program, uint32_t step);

/* The host of a source, if another one has the path, too; else NULL. */
const char *source_host(const struct program *program, uint32_t source);
/* The command that shows a line of a source: "ps --host a x.py -b 3". */
void put_source_link(struct str *out, const struct program *program, uint32_t source,
                     int64_t line);
/*
 * Of a dump that was redirected the indices count files of the directory before: some name none
 * here, others one that is too short.
 */
bool frame_is_elsewhere(const struct program *program, const struct program_frame *frame);
/* "<unknown file #7>": how the file of such a frame shows */
void put_unknown_file(struct str *out, int64_t file_index);

/* Do the sources have the paths of several hosts? */
bool has_several_hosts(const struct program *program);

#endif
