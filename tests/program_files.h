#ifndef TESTS_PROGRAM_FILES_H
#define TESTS_PROGRAM_FILES_H

#include <stddef.h>

#include "dump/base/str.h"
#include "dump/model/program.h"
#include "dump/v2/root.h"

/* Recorded programs made by a test: records of the files of one set, then the files. */

/* The messages of an event, by their field. */
enum { METADATA = 3, SOURCE = 4, FRAME = 6, OP = 7, GRAPH = 8, EXECUTION = 9, TRACE = 10,
       DEVICE = 12 };
enum { CONCISE = 3, SHAPE = 5, FULL = 7 };       /* modes */

extern char *scratch;                            /* a directory */
extern struct str files[PROGRAM_FILE_KINDS];     /* what is in the files so far */

/* A fixture. */
void make_scratch(void);
void remove_scratch(void);

/* A record of the event with this message, which is then empty. */
void put_what(enum program_file_kind file, double time, uint32_t what, struct str *body);
void put_word(struct str *out, uint32_t field, const char *word);

void put_metadata(double time, const char *run_id);
void put_graph(const char *id, const char *name, const char *outer);
/* One input, or "". Its stack is the frames a and b. */
void put_op(const char *graph, const char *type, const char *name, const char *input);
/* Inputs separated by spaces; a letter for each frame. */
void put_op_of(const char *graph, const char *type, const char *name, const char *inputs,
               unsigned n_outputs, const char *frames);
/* Takes the tensor, which is then empty. */
void put_trace_of(double time, const char *graph, const char *op, int slot, const char *device,
                  int mode, struct str *tensor);
/* A list of doubles as content. */
void put_doubles(struct str *tensor, const double *number, size_t n);
/* With a NaN. */
void put_trace(double time, const char *graph, const char *op);
/* Input and output are one id each, 0: none. Its stack is the frames b and a. */
void put_step(double time, const char *op, const char *graph, int in, int out);
/* Of two lines. */
void put_source(const char *path);
void put_source_of(const char *host, const char *path, const char *const *lines);
void put_frame(const char *id, unsigned index, unsigned at);
void put_device(const char *name);

/* A function g called twice, with an op of its own each time, and an op between. */
void put_small(void);

/* Into scratch. The prefix is what follows "tfdbg_events.". */
void write_file(const char *prefix, int kind, const void *bytes, size_t len);
void write_set_but_metadata(const char *prefix);
void write_set(const char *prefix);

/* A run of a directory, which the test closes; of scratch, the newest. */
struct program *open_program(const struct v2_root *root, size_t run);
struct program *open_scratch(void);
/* How many records are in all its files. */
uint64_t records_of(const struct program *program);

#endif
