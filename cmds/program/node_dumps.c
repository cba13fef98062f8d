#include "cmds/program/node_dumps.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cmds/graph/node_text.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_rows.h"

enum { LINES_MAX = 1000 };

static int by_time(const void *a, const void *b, void *context)
{
	const struct program *program = context;
	const struct program_tensor *x = a, *y = b;
	double t = program_tensor_time(program, x), u = program_tensor_time(program, y);

	t = isnan(t) ? 0 : t;
	u = isnan(u) ? 0 : u;
	if (t != u)
		return t < u ? -1 : 1;
	return (x->trace > y->trace) - (x->trace < y->trace);
}

static uint32_t step_of(const struct program_trace *trace)
{
	return trace->attribution == PROGRAM_UNATTRIBUTED ? PROGRAM_NONE : trace->owner;
}

static void find_traces(const struct program *program, uint32_t node, uint32_t step,
                        struct node_dumps *out)
{
	for (uint32_t i = 0; i < program->traces.len; i++) {
		const struct program_trace *trace = &program->traces.at[i];
		struct program_tensor t = { .trace = i, .step = step_of(trace) };

		if (program->keys.at[trace->key].node != node)
			continue;
		out->n_all++;
		if (step == PROGRAM_NONE || t.step == step)
			vec_push(&out->list, t);
	}
	if (out->list.len)
		qsort_r(out->list.at, out->list.len, sizeof *out->list.at, by_time,
		        (void *)program);
}

static void find_outputs(const struct program *program, uint32_t step, struct node_dumps *out)
{
	uint32_t n = program_step_rows(&program->steps.at[step]);

	for (uint32_t row = 0; row < n; row++) {
		struct program_tensor t = { .trace = PROGRAM_NONE, .step = step, .row = row };

		vec_push(&out->list, t);
	}
	out->n_all = n;
}

void node_dumps_find(const struct program *program, const struct subject *subject, uint32_t step,
                     struct node_dumps *out)
{
	*out = (struct node_dumps){0};
	if (subject->step != PROGRAM_NONE)
		find_outputs(program, subject->step, out);
	else
		find_traces(program, subject->node, step, out);
}

void node_dumps_release(struct node_dumps *dumps)
{
	vec_release(&dumps->list);
}

/* "Slot 0 @ FULL_HEALTH @ 0.077 ms"; times since the first tensor of the step, or the start. */
static void put_caption(struct str *out, const struct program *program,
                        const struct program_tensor *t, double since)
{
	int64_t slot = program_slot(program, t), us, first = 0;

	if (slot < 0)
		str_fmt(out, "Entry %" PRIu32, t->row);
	else
		str_fmt(out, "Slot %" PRId64, slot);
	str_puts(out, " @ ");
	put_mode_name(out, program_mode(program, t));
	if (!program_time_us(program, program_tensor_time(program, t), &us))
		return;
	if (!isnan(since))
		program_time_us(program, since, &first);
	str_fmt(out, " @ %.3f ms", (double)(us - first) / 1000);
}

static void put_dump(struct doc *doc, struct program_reads *reads, const struct program_tensor *t,
                     double since, bool with_step, struct err *first)
{
	const struct program *program = reads->program;
	struct str caption = {0}, link = {0}, health_text = {0};
	struct health health = {0};
	struct err err = {0};

	put_caption(&caption, program, t, since);
	tensor_put_link(program, t, &link);
	if (!program_health(reads, t, &health, NULL, &err)) {
		health = (struct health){0};
		*first = first->code ? *first : err;
	}
	put_health(&health_text, &health);
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_link(doc, ROLE_PLAIN, caption.text, "%s", link.text);
	if (with_step && t->step != PROGRAM_NONE)
		doc_put(doc, ROLE_PLAIN, "  step #%" PRIu32, t->step);
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_line_put(doc, health.known & HEALTH_BAD && health.bad ? ROLE_BAD : ROLE_PLAIN, "%s",
	             health_text.text);
	str_release(&caption);
	str_release(&link);
	str_release(&health_text);
}

void node_dumps_put(struct doc *doc, struct program_reads *reads, const struct node_dumps *dumps,
                    uint32_t step, struct err *first)
{
	const struct program *program = reads->program;
	size_t n = dumps->list.len;
	double since = NAN;

	if (step != PROGRAM_NONE && program_n_tensors(program, step)) {
		struct program_tensor earliest = program_tensor(program, step, 0);

		since = program_tensor_time(program, &earliest);
	}
	doc_newline(doc);
	node_text_dumps(doc, n);
	for (size_t i = 0; i < n && i < LINES_MAX; i++)
		put_dump(doc, reads, &dumps->list.at[i], since, step == PROGRAM_NONE,
		         first);
	if (n > LINES_MAX)
		doc_line_put(doc, ROLE_PLAIN, "  ... and %zu more", n - LINES_MAX);
}

void node_dumps_put_data(struct program_reads *reads, const struct node_dumps *dumps,
                         struct data *data, struct err *first)
{
	data_list(data);
	for (size_t i = 0; i < dumps->list.len; i++) {
		data_object(data);
		tensor_put_keys(reads, &dumps->list.at[i], data, first);
		data_end(data);
	}
	data_end(data);
}
