#include "dump/profile/gaps.h"

#include <stdlib.h>

#include "dump/base/mem.h"

#define PAUSE_NS 30              /* at most so much is a device's own pause between kernels */
#define STEP_EVERY 65536

#define X(id, name) name,
const char *const gap_cause_names[] = { GAP_CAUSES(X) };
#undef X

static int by_device_and_start(const void *a, const void *b, void *context)
{
	const struct activity *at = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (at[i].device != at[k].device)
		return at[i].device < at[k].device ? -1 : 1;
	if (at[i].start_ns != at[k].start_ns)
		return at[i].start_ns < at[k].start_ns ? -1 : 1;
	return (i > k) - (i < k);
}

static enum gap_cause cause_of(const struct activity *before, const struct activity *after,
                               const struct gap *gap)
{
	bool kernels = before->kind == ACTIVITY_KERNEL && after->kind == ACTIVITY_KERNEL;

	if (kernels && before->stream == after->stream && gap->len_ns <= PAUSE_NS)
		return GAP_KERNEL_WAIT;
	if (after->launch_delay_ns == -1)
		return GAP_UNKNOWN;
	/* Launched after the gap had begun: then it started sooner than the gap is long. */
	return after->launch_delay_ns < gap->len_ns ? GAP_HOST_WAIT : GAP_OTHER;
}

static int64_t end_of(const struct activity *a)
{
	return a->start_ns + a->len_ns;
}

static bool walk(const struct activities *acts, const uint32_t *order, size_t n, gap_list *out,
                 struct progress *progress)
{
	const struct activity *at = acts->at.at;
	uint32_t last = 0;               /* what ended last */

	for (size_t i = 0; i < n; i++) {
		const struct activity *a = &at[order[i]];

		if (i % STEP_EVERY == 0 && !progress_step(progress, i, n))
			return false;
		if (!i || at[last].device != a->device) {
			last = order[i];
			continue;
		}
		if (a->start_ns > end_of(&at[last])) {
			struct gap gap = { end_of(&at[last]), a->start_ns - end_of(&at[last]),
			                   last, order[i], GAP_OTHER };

			gap.cause = cause_of(&at[last], a, &gap);
			vec_push(out, gap);
		}
		if (end_of(a) >= end_of(&at[last]))
			last = order[i];
	}
	return true;
}

bool gaps_find(const struct activities *acts, gap_list *out, struct progress *progress,
               struct err *err)
{
	uint32_t *order = mem_alloc((acts->at.len + 1) * sizeof *order);
	size_t n = 0;
	bool ok;

	for (size_t i = 0; i < acts->at.len; i++)
		if (acts->at.at[i].kind != ACTIVITY_HOST && acts->at.at[i].len_ns > 0)
			order[n++] = (uint32_t)i;
	qsort_r(order, n, sizeof *order, by_device_and_start, acts->at.at);
	ok = walk(acts, order, n, out, progress);
	free(order);
	return ok || err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}
