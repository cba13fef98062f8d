/* One pass over the traces, and a number for each node: a row asks for it in every frame. */
#include "cmds/program/held.h"

#include <stdlib.h>

#include "cmds/program/tensor_rows.h"
#include "dump/base/mem.h"

struct held {
	const struct program *program;
	uint32_t step;
	/* by node: the number of its gravest trace; PROGRAM_NONE: it has none */
	VEC(uint32_t) trace;
	size_t n_traces;         /* there were then */
	uint64_t n_unscanned;
	bool made;
};

struct held *held_new(const struct program *program, uint32_t step)
{
	struct held *held = mem_alloc(sizeof *held);

	held->program = program;
	held->step = step;
	return held;
}

void held_free(struct held *held)
{
	vec_release(&held->trace);
	free(held);
}

/* Of what is worth a look first; bad comes first of all. */
static int grave(enum program_bad bad)
{
	static const int graveness[] = {
		[PROGRAM_GOOD] = 0, [PROGRAM_CANT_TELL] = 1, [PROGRAM_UNSCANNED] = 2,
		[PROGRAM_BAD] = 3,
	};

	return graveness[bad];
}

static void take(struct held *held, uint32_t at)
{
	const struct program_trace *traces = held->program->traces.at;
	uint32_t *kept = &held->trace.at[held->program->keys.at[traces[at].key].node];

	if (*kept == PROGRAM_NONE || grave(traces[at].bad) > grave(traces[*kept].bad))
		*kept = at;
}

static void go_over(struct held *held)
{
	const struct program *program = held->program;
	size_t n = program->traces.len;
	const uint32_t *of_step = NULL;

	held->trace.len = 0;
	for (size_t i = 0; i < program->nodes.len; i++)
		vec_push(&held->trace, PROGRAM_NONE);
	if (held->step != PROGRAM_NONE)
		of_step = program_step_traces(program, held->step, &n);
	for (size_t i = 0; i < n; i++)
		take(held, of_step ? of_step[i] : (uint32_t)i);
	held->n_traces = program->traces.len;
	held->n_unscanned = program->n_unscanned;
	held->made = true;
}

bool held_by_node(struct held *held, uint32_t node, struct program_tensor *out)
{
	const struct program *program = held->program;
	uint32_t at;

	if (!held->made || held->n_traces != program->traces.len ||
	    held->n_unscanned != program->n_unscanned || node >= held->trace.len)
		go_over(held);
	at = held->trace.at[node];
	if (at == PROGRAM_NONE)
		return false;
	*out = (struct program_tensor){ .trace = at, .step = held->step };
	if (program->traces.at[at].attribution != PROGRAM_UNATTRIBUTED)
		out->step = program->traces.at[at].owner;
	return true;
}

bool held_by_step(const struct program *program, uint32_t step, int64_t slot,
                  struct program_tensor *out)
{
	uint32_t n = program_step_rows(&program->steps.at[step]);
	bool found = false;

	for (uint32_t row = 0; row < n; row++) {
		struct program_tensor t = { .trace = PROGRAM_NONE, .step = step, .row = row };

		if (slot >= 0 && program_slot(program, &t) != slot)
			continue;
		if (!found || grave(program_bad(program, &t)) > grave(program_bad(program, out)))
			*out = t;
		found = true;
	}
	return found;
}

enum role held_put(const struct program *program, const struct program_tensor *tensor,
                   struct str *out)
{
	struct program_reads reads = { .program = program };
	struct health health = {0};
	struct err err = {0};

	if (!program_health(&reads, tensor, &health, NULL, &err))
		health = (struct health){0};
	program_reads_release(&reads);
	put_health(out, &health);
	return program_bad(program, tensor) == PROGRAM_BAD    ? ROLE_BAD
	       : program_bad(program, tensor) == PROGRAM_GOOD ? ROLE_LIBRARY
	                                                      : ROLE_PLAIN;
}
