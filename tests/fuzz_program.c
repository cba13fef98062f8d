/*
 * A v2 dump of two processes, made as tests/program_input.h has it. All that may be asked is asked.
 * One input of four, by its size, is opened with each file cut in the middle, then whole; how it
 * came to be makes no difference.
 */
#include <stdlib.h>
#include <string.h>

#include "dump/base/vec.h"
#include "dump/model/program_origins.h"
#include "dump/v2/v2.h"
#include "tests/input.h"
#include "tests/program_input.h"

#define CHAIN_MAX 8

static bool count_line(void *owner, uint32_t line, const char *text, size_t len)
{
	(void)line;
	(void)text;
	*(size_t *)owner += len;
	return true;
}

static void ask_tensor(struct program_reads *reads, const struct program_tensor *tensor)
{
	const struct program *p = reads->program;
	struct health health;
	struct value *value;
	struct err err = {0};
	struct str name = {0};

	program_put_name(p, tensor, &name);
	program_mode(p, tensor);
	program_where(p, tensor);
	MUST(program_health(reads, tensor, &health, NULL, &err) || err.code);
	MUST(health.shape.rank <= SHAPE_MAX_RANK);
	err = (struct err){0};
	value = program_value(reads, tensor, &err);
	MUST(value || err.code);
	value_close(value);
	str_release(&name);
}

static void ask_step(const struct program *p, uint32_t step)
{
	const struct program_step *s = &p->steps.at[step];
	struct program_producer from;
	struct program_step_use *uses;
	size_t n;

	for (uint32_t i = 0; i < s->n_input_ids; i++) {
		uint32_t holder = program_placeholder(p, step, i);

		MUST(holder == PROGRAM_NONE || holder < p->ops.len);
		if (program_producer(p, step, i, &from))
			MUST(from.step < step);
	}
	n = program_step_uses(p, step, &uses);
	for (size_t i = 0; i < n; i++)
		MUST(uses[i].step > step && uses[i].slot < s->n_output_ids);
	free(uses);
	program_step_traces(p, step, &n);
	MUST(n == (size_t)s->n_sure + s->n_probable + s->n_background);
	for (uint64_t i = 0; i < program_n_tensors(p, step); i++)
		MUST(program_tensor(p, step, i).step == step);
}

static void ask_graphs(const struct program *p)
{
	uint32_t chain[CHAIN_MAX];
	struct str text = {0};
	size_t n;

	for (uint32_t g = 0; g < p->graphs.len; g++) {
		n = program_chain(p, g, chain, CHAIN_MAX);
		MUST(n == (size_t)p->graphs.at[g].depth + 1 && n <= p->graphs.len);
		for (size_t i = 0; i < n && i < CHAIN_MAX; i++)
			MUST(program_is_within(p, g, chain[i]));
		program_inner(p, g, &n);
		MUST(n == p->graphs.at[g].n_inner);
		program_graph_ops(p, g, &n);
		MUST(n >= p->graphs.at[g].n_ops);
		MUST(program_find_graphs(p, p->graphs.at[g].id, chain, 1) == 1 && chain[0] == g);
	}
	for (uint32_t op = 0; op < p->ops.len; op++) {
		MUST(p->nodes.at[p->ops.at[op].node].op == op);
		for (uint32_t i = 0; i < p->ops.at[op].n_inputs; i++)
			program_put_input(p, &program_op_inputs(p, op)[i], &text);
		program_uses(p, p->ops.at[op].node, &n);
	}
	str_release(&text);
}

static void ask_sources(struct program_reads *reads)
{
	const struct program *p = reads->program;
	struct program_frame_use *uses = mem_alloc(p->frames.len * sizeof *uses);
	size_t bytes = 0;

	program_frame_uses(p, uses);
	for (uint32_t i = 0; i < p->sources.len; i++)
		MUST(program_source_lines(reads, i, 0, count_line, &bytes, NULL));
	free(uses);
}

/* What is bad began somewhere. */
static void ask_origins(const struct program *p)
{
	struct origins_report *report = origins_report_new();
	uint64_t times = 0;
	struct err err = {0};

	MUST(program_origins(p, report, NULL, &err));
	MUST(report->refused || report->bad_tensors == p->n_flagged);
	MUST(!report->rows.len == !report->bad_tensors);
	for (size_t i = 0; i < report->rows.len; i++) {
		const struct origin_row *row = &report->rows.at[i];

		MUST(row->record < (row->where == ORIGIN_OF_TRACE ? p->traces.len : p->steps.len));
		MUST(row->execution < (int64_t)p->steps.len && row->call <= row->execution);
		MUST(!row->exact || !row->before_window);
		times += row->times;
	}
	MUST(times <= report->bad_tensors);
	origins_rank(report, NULL, NULL);
	origins_report_free(report);
}

static void ask(struct program *p)
{
	struct program_reads reads = { .program = p };

	MUST(program_scan(p, UINT64_MAX, NULL, NULL) && p->n_unscanned == 0);
	for (uint64_t i = 0; i < p->n_tensors && i < 1000; i++) {
		struct program_tensor tensor = program_tensor(p, PROGRAM_NONE, i);

		ask_tensor(&reads, &tensor);
	}
	for (uint32_t step = 0; step < p->steps.len; step++)
		ask_step(p, step);
	ask_graphs(p);
	ask_sources(&reads);
	ask_origins(p);
	program_reads_release(&reads);
}

static struct program *open_dir(void)
{
	struct v2_root *root = v2_root_open(".", NULL);
	struct program *p;

	MUST(root && root->chosen < root->runs.len);
	p = v2_open(root, 0, NULL, NULL);
	MUST(p);
	v2_root_close(root);
	return p;
}

/* What grew is as what is opened now, if it is still the same run. */
static void compare(const struct program *grown, const struct program *now)
{
	if (grown->sets.len != now->sets.len ||
	    strcmp(grown->sets.at[0].prefix, now->sets.at[0].prefix))
		return;
	MUST(grown->n_tensors == now->n_tensors && grown->n_passes == now->n_passes);
	MUST(grown->n_flagged == now->n_flagged && grown->ops.len == now->ops.len);
	MUST(grown->frames.len == now->frames.len && grown->damage.len == now->damage.len);
	MUST(grown->unresolved.graphs == now->unresolved.graphs);
}

/* Opened with each file cut in the middle, then whole. */
static void grow(void)
{
	struct program *p, *now;

	program_input_write(false);
	p = open_dir();
	ask(p);
	program_input_write(true);
	program_look_again(p, NULL, NULL);
	ask(p);
	now = open_dir();
	MUST(program_scan(now, UINT64_MAX, NULL, NULL));
	compare(p, now);
	program_close(p);
	program_close(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program *p;

	program_input(data, size);
	input_enter();
	if (size % 4 == 1) {
		grow();
	} else {
		program_input_write(true);
		p = open_dir();
		ask(p);
		program_close(p);
	}
	input_leave();
	return 0;
}
