/*
 * Writes a synthetic XSpace of any size, for measurements: no profiler is behind it. The same
 * options give the same bytes.
 *
 *   tool_gen_xspace FILE [OPS [OTHERS]]
 *
 * Each of the ops (250000) is an event of the host and has a kernel and the call that launched it,
 * with the stats that TensorFlow gives them, and some OTHERS of the executor (1). So many ops lie
 * in one part, which has a device and a plane of the host of its own; a step has a thousand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/made_xspace.h"

enum { PART = 250000, OPS = 200, STEP_OPS = 1000, STREAMS = 4, DEVICES = 8 };
#define OP_PS INT64_C(20000000)  /* from an op to the next */

/* What an op of the model is called. */
static void put_op(struct str *out, int op)
{
	static const char *const types[] = { "MatMul", "BiasAdd", "Relu", "Mul", "Sum" };

	str_reset(out);
	str_fmt(out, "model/layer_%d/block_%d/%s:%s", op / 20, op % 20 / 5, types[op % 5],
	        types[op % 5]);
}

/* When a part begins. */
static int64_t start_of(uint64_t part)
{
	return (int64_t)part * PART * (OP_PS / 1000);
}

static void put_device(struct made_xspace *m, uint64_t part, uint64_t ops)
{
	uint32_t kernel[OPS], op[OPS], details[OPS], correlation, kernel_details, tf_op, context,
		context_text, group, device, occupancy, grid, block;
	struct str text = {0};

	str_fmt(&text, "/device:GPU:%d", (int)(part % DEVICES));
	made_plane(m, text.text);
	correlation = made_stat_name(m, "correlation_id");
	kernel_details = made_stat_name(m, "kernel_details");
	tf_op = made_stat_name(m, "tf_op");
	context = made_stat_name(m, "context_id");
	context_text = made_stat_name(m, "$$1");
	group = made_stat_name(m, "group_id");
	device = made_stat_name(m, "device_id");
	occupancy = made_stat_name(m, "theoretical_occupancy_pct");
	grid = made_stat_name(m, "occupancy_min_grid_size");
	block = made_stat_name(m, "occupancy_suggested_block_size");
	for (int i = 0; i < OPS; i++) {
		put_op(&text, i);
		op[i] = made_stat_name(m, text.text);
		str_reset(&text);
		str_fmt(&text, "regs:%d static_shared:0 dynamic_shared:%d grid:%d,1,1 "
		        "block:256,1,1 occ_pct:%d", 16 + i % 48, i % 3 * 1024, 1 + i,
		        25 + i % 4 * 25);
		details[i] = made_stat_name(m, text.text);
		str_reset(&text);
		str_fmt(&text, "void kernel_%d<float, %d>(float const*, float*, int)", i, i % 7);
		kernel[i] = made_event_name(m, text.text);
	}
	for (uint64_t stream = 0; stream < STREAMS; stream++) {
		str_reset(&text);
		str_fmt(&text, "Stream #%d(Compute)", (int)stream + 10);
		made_line(m, (int64_t)stream + 10, text.text, start_of(part));
		for (uint64_t i = stream; i < ops; i += STREAMS) {
			made_event(m, kernel[i % OPS], (int64_t)i * OP_PS + 9000000,
			           (int64_t)(3000000 + i * 7919 % 9000000));
			made_number(m, correlation, part * PART + i + 1);
			made_reference(m, kernel_details, details[i % OPS]);
			made_reference(m, tf_op, op[i % OPS]);
			made_reference(m, context, context_text);
			made_number(m, group, i / STEP_OPS);
			made_number(m, device, part % DEVICES);
			made_number(m, occupancy, 25 + i % 4 * 25);
			made_number(m, grid, 160);
			made_number(m, block, 1024);
		}
	}
	made_plane_end(m);
	str_release(&text);
}

static void put_host(struct made_xspace *m, uint64_t part, uint64_t ops, uint64_t others)
{
	uint32_t op[OPS], step, process, launch, correlation, id, number, priority, context,
		producer, consumer;
	struct str text = {0};

	made_plane(m, "/host:CPU");
	step = made_event_name(m, "train");
	process = made_event_name(m, "ExecutorState::Process");
	launch = made_event_name(m, "cuLaunchKernel");
	correlation = made_stat_name(m, "correlation_id");
	id = made_stat_name(m, "id");
	number = made_stat_name(m, "step_num");
	priority = made_stat_name(m, "_r");
	context = made_stat_name(m, "context_id");
	producer = made_stat_name(m, "_pt");
	consumer = made_stat_name(m, "_c");
	for (int i = 0; i < OPS; i++) {
		put_op(&text, i);
		op[i] = made_event_name(m, text.text);
	}
	made_line(m, 1, "python", start_of(part));
	for (uint64_t i = 0; i < ops; i += STEP_OPS) {
		made_event(m, step, (int64_t)i * OP_PS, STEP_OPS * OP_PS - 1000000);
		made_number(m, number, (part * PART + i) / STEP_OPS);
		made_number(m, priority, 1);
	}
	made_line(m, -77, "tf_Compute/-77", start_of(part));
	for (uint64_t i = 0; i < ops; i++) {
		int64_t at_ps = (int64_t)i * OP_PS;

		for (uint64_t k = 0; k < others; k++) {
			made_event(m, process, at_ps + (int64_t)k, 15000000);
			made_number(m, id, i);
			made_number(m, producer, 2);
			made_number(m, consumer, UINT64_C(0x1234567890000000) + i);
		}
		made_event(m, op[i % OPS], at_ps + 1000000, 12000000);
		made_number(m, id, i);
		made_number(m, producer, 2);
		made_event(m, launch, at_ps + 2000000, 5000000);
		made_number(m, correlation, part * PART + i + 1);
		made_number(m, context, 1);
	}
	made_plane_end(m);
	str_release(&text);
}

static void die(const char *what)
{
	fprintf(stderr, "tool_gen_xspace: %s: %s\n", what, strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	uint64_t left = argc > 2 ? strtoull(argv[2], NULL, 10) : PART;
	uint64_t others = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	FILE *file;

	if (argc < 2) {
		fputs("usage: tool_gen_xspace FILE [OPS [OTHERS]]\n", stderr);
		return 2;
	}
	file = fopen(argv[1], "w");
	if (!file)
		die(argv[1]);
	for (uint64_t part = 0; left; part++) {
		uint64_t ops = left < PART ? left : PART;
		struct made_xspace m = {0};

		put_device(&m, part, ops);
		put_host(&m, part, ops, others);
		if (fwrite(m.out.text, 1, m.out.len, file) != m.out.len)
			die(argv[1]);
		made_xspace_release(&m);
		left -= ops;
	}
	if (fclose(file) != 0)
		die(argv[1]);
	return 0;
}
