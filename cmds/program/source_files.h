#ifndef CMDS_PROGRAM_SOURCE_FILES_H
#define CMDS_PROGRAM_SOURCE_FILES_H

#include "cmds/graph/source.h"
#include "dump/model/program.h"

/* The source files of a recorded program, and what their lines made. */

/* Is it one of TensorFlow's or Keras' own Python files? */
bool is_tensorflow_file(const char *path);

/* That, or of Python's own: "/usr/lib/python3.11/runpy.py", "<frozen importlib._bootstrap>" */
bool is_library_file(const char *path);

/*
 * The places of program->frames: file is file_of[] of the frame's source, or NO_FILE; an invalid
 * line is 0. The caller frees it.
 */
struct source_place *frame_places(const struct program *program, const uint32_t *file_of);

/* Numbers of tensors: all; those with NaN or Inf. */
struct n_tensors {
	uint32_t all, flagged;
};
/* The traces of each of program->nodes, counted. The caller frees it. */
struct n_tensors *traces_of_nodes(const struct program *program);
struct n_tensors outputs_of_step(const struct program *program, uint32_t step);

/* The host of a source if another host has the same path, too; else NULL. */
const char *source_host(const struct program *program, uint32_t source);
/* The command that shows a line of a source: "ps --host a x.py -b 3". */
void put_source_link(struct str *out, const struct program *program, uint32_t source,
                     int64_t line);
/*
 * Is the frame's file not in this dump? If a program changed its dump directory, file indices
 * refer to the former one: here there is no file with the index, or one with too few lines.
 */
bool frame_is_elsewhere(const struct program *program, const struct program_frame *frame);
/* "<unknown file #7>": the file of such a frame */
void put_unknown_file(struct str *out, int64_t file_index);

/* Are there sources of several hosts? */
bool has_several_hosts(const struct program *program);

#endif
