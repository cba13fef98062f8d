/*
 * Writes a synthetic recorded program (a tfdbg v2 dump) of any size, for measurements: no
 * TensorFlow run is behind it. The same options give the same bytes.
 *
 *   tool_gen_program OUT [TRACES [BAD]]
 *
 * Ten functions of a hundred ops are called in turn; a call traces each of its ops, with the
 * counts of CONCISE_HEALTH, and is followed by its execution. Every BAD-th trace (100000; 0: none)
 * counts three NaNs.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/program_files.h"
#include "tests/message.h"

enum { FUNCTIONS = 10, OPS = 100, FRAMES = 26, ELEMENTS = 256, FLUSH_BYTES = 1 << 20 };

#define PREFIX "tfdbg_events.1700000000.bench-host"
#define DEVICE "/job:localhost/replica:0/task:0/device:CPU:0"
#define START 1700000000.0

static const char *const types[] = { "MatMul", "BiasAdd", "Relu", "Mul", "AddV2", "Log" };
#define N_TYPES (sizeof types / sizeof *types)

static FILE *out[PROGRAM_FILE_KINDS];

static void die(const char *what)
{
	fprintf(stderr, "tool_gen_program: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void open_files(const char *dir)
{
	if (mkdir(dir, 0777) != 0)
		die(dir);
	for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++) {
		struct str path = {0};

		str_fmt(&path, "%s/" PREFIX ".%s", dir, program_file_suffix[kind]);
		out[kind] = fopen(path.text, "wxe");
		if (!out[kind])
			die(path.text);
		str_release(&path);
	}
}

static void flush(int kind)
{
	if (fwrite(str_text(&files[kind]), 1, files[kind].len, out[kind]) != files[kind].len)
		die(program_file_suffix[kind]);
	str_reset(&files[kind]);
}

static void close_files(void)
{
	for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++) {
		flush(kind);
		if (fclose(out[kind]) != 0)
			die(program_file_suffix[kind]);
		str_release(&files[kind]);
	}
}

/* As long as the id that TensorFlow gives a graph. */
static void graph_id(char *id, size_t size, int function)
{
	snprintf(id, size, "5eed0020-0000-4000-8000-%012d", function);
}

static void op_name(char *name, size_t size, int op)
{
	snprintf(name, size, "block_%d/%s_%d", op / 8, types[op % (int)N_TYPES], op);
}

static void put_function(int function)
{
	char id[64], name[64], input[64] = "";

	graph_id(id, sizeof id, function);
	snprintf(name, sizeof name, "function_%d", function);
	put_graph(id, name, "root");
	for (int op = 0; op < OPS; op++) {
		op_name(name, sizeof name, op);
		put_op(id, op ? types[op % (int)N_TYPES] : "Placeholder", name, input);
		snprintf(input, sizeof input, "%.60s:0", name);
	}
}

static void put_start(void)
{
	put_metadata(START, "5eed0020");
	put_source("/tmp/demo/model.py");
	for (unsigned frame = 0; frame < FRAMES; frame++)
		put_frame((char[]){ (char)('a' + frame), '\0' }, 0, frame + 1);
	put_device(DEVICE);
	put_graph("root", "", "");
	for (int function = 0; function < FUNCTIONS; function++)
		put_function(function);
}

static void put_traces(uint64_t n, uint64_t bad)
{
	double now = START + 1;
	char id[64], name[64];

	for (uint64_t i = 0; i < n; i++) {
		int call = (int)(i / OPS), function = call % FUNCTIONS, op = (int)(i % OPS);
		double health[] = { function * OPS + op + 1, ELEMENTS, 0, 0,
		                    bad && (i + 1) % bad == 0 ? 3 : 0 };
		struct str tensor = {0};

		graph_id(id, sizeof id, function);
		op_name(name, sizeof name, op);
		put_doubles(&tensor, health, 5);
		put_trace_of(now += 1e-5, id, name, 0, DEVICE, CONCISE, &tensor);
		if (files[PROGRAM_FILE_TRACES].len > FLUSH_BYTES)
			flush(PROGRAM_FILE_TRACES);
		if (op + 1 < OPS && i + 1 < n)
			continue;
		snprintf(name, sizeof name, "__inference_function_%d_%d", function, 100 + function);
		put_step(now += 1e-4, name, id, call + 1, call + 2);
	}
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
	uint64_t bad = argc > 3 ? strtoull(argv[3], NULL, 10) : 100000;

	if (argc < 2 || argc > 4 || !n || n > 1000000000) {
		fprintf(stderr, "usage: tool_gen_program OUT [TRACES [BAD]]\n");
		return 2;
	}
	open_files(argv[1]);
	put_start();
	put_traces(n, bad);
	close_files();
	return 0;
}
