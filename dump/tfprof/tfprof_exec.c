/*
 * What a node did in a step, in 52 bytes instead of 88: a first start and how long after it the
 * latest end is; the rest with 32 bits each. Where one of them does not fit, the whole set goes to
 * tfprof->wide_execs, `lasting` is WIDE and `requested` the place there; `next` counts in any case.
 */
#include "dump/tfprof/tfprof_parts.h"

#define WIDE UINT32_MAX

struct tfprof_exec tfprof_exec_at(const struct tfprof *tfprof, uint32_t at)
{
	const struct tfprof_narrow_exec *narrow = &tfprof->execs.at[at];
	struct tfprof_exec exec;

	if (narrow->lasting == WIDE) {
		exec = tfprof->wide_execs.at[narrow->requested];
		exec.next = narrow->next;
		return exec;
	}
	exec = (struct tfprof_exec){
		.next = narrow->next, .runs = narrow->runs, .step = narrow->step,
		.start_us = (int64_t)((uint64_t)narrow->start_high << 32 | narrow->start_low),
		.accelerator_us = narrow->accelerator_us, .cpu_us = narrow->cpu_us,
		.requested = narrow->requested, .peak = narrow->peak, .residual = narrow->residual,
		.output = narrow->output, .persistent = narrow->persistent,
	};
	exec.end_us = tfprof_add(exec.start_us, narrow->lasting);
	return exec;
}

/* Stores a value in 32 bits. False: it does not fit. */
static bool narrow_number(int64_t value, uint32_t *out)
{
	*out = (uint32_t)value;
	return value >= 0 && value < UINT32_MAX;
}

static bool make_narrow(const struct tfprof_exec *exec, struct tfprof_narrow_exec *narrow)
{
	int64_t lasting;

	*narrow = (struct tfprof_narrow_exec){
		.next = exec->next, .runs = exec->runs, .step = (int32_t)exec->step,
		.start_low = (uint32_t)exec->start_us,
		.start_high = (uint32_t)((uint64_t)exec->start_us >> 32),
	};
	return exec->step == narrow->step &&
	       !__builtin_sub_overflow(exec->end_us, exec->start_us, &lasting)
	       && narrow_number(lasting, &narrow->lasting)
	       && narrow_number(exec->accelerator_us, &narrow->accelerator_us)
	       && narrow_number(exec->cpu_us, &narrow->cpu_us)
	       && narrow_number(exec->requested, &narrow->requested) &&
	       narrow_number(exec->peak, &narrow->peak)
	       && narrow_number(exec->residual, &narrow->residual) &&
	       narrow_number(exec->output, &narrow->output)
	       && narrow_number(exec->persistent, &narrow->persistent);
}

void tfprof_exec_put(struct tfprof *tfprof, uint32_t at, const struct tfprof_exec *exec)
{
	struct tfprof_narrow_exec *place = &tfprof->execs.at[at], narrow;
	uint32_t wide;

	if (place->lasting != WIDE && make_narrow(exec, &narrow)) {
		*place = narrow;
		return;
	}
	wide = place->lasting == WIDE ? place->requested : (uint32_t)tfprof->wide_execs.len;
	if (wide == tfprof->wide_execs.len)
		vec_add(&tfprof->wide_execs);
	tfprof->wide_execs.at[wide] = *exec;
	*place = (struct tfprof_narrow_exec){ .next = exec->next, .lasting = WIDE,
	                                      .requested = wide };
}

bool tfprof_exec_of(const struct tfprof *tfprof, uint32_t node, int64_t step,
                    struct tfprof_exec *out)
{
	for (uint32_t e = tfprof->nodes.at[node].exec; e != TFPROF_NONE; e = out->next) {
		*out = tfprof_exec_at(tfprof, e);
		if (out->step == step)
			return true;
	}
	return false;
}

uint32_t tfprof_exec_in(struct tfprof *tfprof, uint32_t node, int64_t step)
{
	uint32_t last = tfprof->nodes.at[node].exec, at = (uint32_t)tfprof->execs.len;

	if (last != TFPROF_NONE && tfprof_exec_at(tfprof, last).step == step)
		return last;
	vec_add(&tfprof->execs);
	tfprof_exec_put(tfprof, at, &(struct tfprof_exec){ .step = step, .next = last });
	tfprof->nodes.at[node].exec = at;
	return at;
}
