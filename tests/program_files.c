#include "tests/program_files.h"

#include <stdio.h>
#include <string.h>

#include "dump/v2/v2.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/suite.h"

char *scratch;
struct str files[PROGRAM_FILE_KINDS];

void make_scratch(void)
{
	scratch = scratch_new();
}

void remove_scratch(void)
{
	scratch_remove(scratch);
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_release(&files[i]);
}

void put_what(enum program_file_kind file, double time, uint32_t what, struct str *body)
{
	struct str event = {0};
	uint64_t bits;

	memcpy(&bits, &time, sizeof bits);
	str_putc(&event, 9);
	put_fixed(&event, bits, 8);
	put_message(&event, what, body);
	put_tfrecord(&files[file], event.text, event.len);
	str_reset(body);
	str_release(&event);
}

void put_word(struct str *out, uint32_t field, const char *word)
{
	put_bytes(out, field, word, strlen(word));
}

static void put_location(struct str *out, uint32_t field, const char *frames)
{
	struct str at = {0};

	put_word(&at, 1, "host");
	for (; *frames; frames++)
		put_bytes(&at, 2, frames, 1);
	put_message(out, field, &at);
	str_release(&at);
}

void put_metadata(double time, const char *run_id)
{
	struct str m = {0};

	put_word(&m, 1, "2.15.0");
	put_word(&m, 2, "debug.Event:1");
	if (run_id)
		put_word(&m, 3, run_id);
	put_what(PROGRAM_FILE_METADATA, time, METADATA, &m);
	str_release(&m);
}

void put_graph(const char *id, const char *name, const char *outer)
{
	struct str m = {0};

	put_word(&m, 1, id);
	put_word(&m, 2, name);
	if (*outer)
		put_word(&m, 6, outer);
	put_what(PROGRAM_FILE_GRAPHS, 1, GRAPH, &m);
	str_release(&m);
}

void put_op_of(const char *graph, const char *type, const char *name, const char *inputs,
               unsigned n_outputs, const char *frames)
{
	struct str m = {0};

	put_word(&m, 1, type);
	put_word(&m, 2, name);
	put_word(&m, 4, graph);
	while (*inputs) {
		size_t len = strcspn(inputs, " ");

		put_bytes(&m, 6, inputs, len);
		inputs += len + (inputs[len] == ' ');
	}
	put_number(&m, 7, n_outputs);
	put_location(&m, 8, frames);
	put_number(&m, 9, 7);
	put_what(PROGRAM_FILE_GRAPHS, 1, OP, &m);
	str_release(&m);
}

void put_op(const char *graph, const char *type, const char *name, const char *input)
{
	put_op_of(graph, type, name, input, 1, "ab");
}

void put_trace_of(double time, const char *graph, const char *op, int slot,
                  const char *device, int mode, struct str *tensor)
{
	struct str m = {0};

	put_word(&m, 1, graph);
	put_word(&m, 2, op);
	put_number(&m, 3, (uint64_t)slot);
	put_number(&m, 4, (uint64_t)mode);
	put_message(&m, 5, tensor);
	put_word(&m, 6, device);
	put_what(PROGRAM_FILE_TRACES, time, TRACE, &m);
	str_release(tensor);
	str_release(&m);
}

void put_doubles(struct str *tensor, const double *number, size_t n)
{
	put_tensor_head(tensor, 2, 1, &(int64_t){ (int64_t)n });
	put_bytes(tensor, 4, number, n * sizeof *number);
}

void put_trace(double time, const char *graph, const char *op)
{
	static const double summary[] = { 1, 1, 0, 0, 1 };
	struct str tensor = {0};

	put_doubles(&tensor, summary, 5);
	put_trace_of(time, graph, op, 0, "CPU", CONCISE, &tensor);
}

void put_step(double time, const char *op, const char *graph, int in, int out)
{
	struct str m = {0};

	put_word(&m, 1, op);
	put_number(&m, 2, 1);
	if (*graph)
		put_word(&m, 3, graph);
	if (in)
		put_number(&m, 4, (uint64_t)in);
	if (out)
		put_number(&m, 5, (uint64_t)out);
	put_number(&m, 6, 3);
	put_location(&m, 8, "ba");
	put_number(&m, 9, 1);
	put_what(PROGRAM_FILE_EXECUTION, time, EXECUTION, &m);
	str_release(&m);
}

void put_source_of(const char *host, const char *path, const char *const *lines)
{
	struct str m = {0};

	put_word(&m, 1, path);
	put_word(&m, 2, host);
	for (; *lines; lines++)
		put_word(&m, 3, *lines);
	put_what(PROGRAM_FILE_SOURCES, 1, SOURCE, &m);
	str_release(&m);
}

void put_source(const char *path)
{
	put_source_of("host", path, (const char *const[]){ "first", "second", NULL });
}

void put_frame(const char *id, unsigned index, unsigned at)
{
	struct str m = {0}, where = {0};

	put_word(&m, 1, id);
	put_number(&where, 1, index);
	put_number(&where, 2, at);
	put_word(&where, 4, "f");
	put_message(&m, 2, &where);
	put_what(PROGRAM_FILE_FRAMES, 1, FRAME, &m);
	str_release(&where);
	str_release(&m);
}

void put_device(const char *name)
{
	struct str m = {0};

	put_word(&m, 1, name);
	put_number(&m, 2, 1);
	put_what(PROGRAM_FILE_GRAPHS, 1, DEVICE, &m);
	str_release(&m);
}

void put_small(void)
{
	for (int i = 0; i < PROGRAM_FILE_KINDS; i++)
		str_reset(&files[i]);
	put_metadata(100, "run");
	put_source("a.py");
	put_source("b.py");
	put_frame("a", 0, 2);
	put_frame("b", 1, 1);
	put_device("CPU");
	put_graph("root", "", "");
	put_graph("g", "f", "root");
	put_op("g", "Placeholder", "x", "");
	put_op("g", "Log", "y", "x:0");
	put_step(102, "__inference_f_1", "g", 5, 6);
	put_step(103, "Mul", "", 6, 7);
	put_step(105, "__inference_f_1", "g", 7, 8);
	put_trace(101.5, "g", "y");
	put_trace(104.5, "g", "y");
	put_trace(104.75, "g", "z");
}

void write_file(const char *prefix, int kind, const void *bytes, size_t len)
{
	struct str path = {0};
	FILE *out;

	str_fmt(&path, "%s/tfdbg_events.%s.%s", scratch, prefix, program_file_suffix[kind]);
	out = fopen(path.text, "we");
	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, len, out), len);
	ck_assert_int_eq(fclose(out), 0);
	str_release(&path);
}

void write_set_but_metadata(const char *prefix)
{
	for (int kind = PROGRAM_FILE_METADATA + 1; kind < PROGRAM_FILE_KINDS; kind++)
		write_file(prefix, kind, str_text(&files[kind]), files[kind].len);
}

void write_set(const char *prefix)
{
	const struct str *metadata = &files[PROGRAM_FILE_METADATA];

	write_file(prefix, PROGRAM_FILE_METADATA, str_text(metadata), metadata->len);
	write_set_but_metadata(prefix);
}

struct program *open_program(const struct v2_root *root, size_t run)
{
	struct err err = {0};
	struct program *program = v2_open(root, run, NULL, &err);

	ck_assert_msg(program, "%s", err.msg);
	return program;
}

struct program *open_scratch(void)
{
	struct v2_root *root = v2_root_open(scratch, NULL);
	struct program *program;

	ck_assert_ptr_nonnull(root);
	program = open_program(root, root->chosen);
	v2_root_close(root);
	return program;
}

uint64_t records_of(const struct program *program)
{
	uint64_t n = 0;

	for (size_t i = 0; i < program->sets.len; i++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			n += program->sets.at[i].file[kind].records;
	return n;
}
