/*
 * Part by part in their order what went on is added to one union; what a step gains by that is the
 * part's. How much of the union lies in a step is the difference of two sums found by bisection.
 * Sums are unsigned, as absurd steps of a file may be longer than 64 bits can say.
 */
#include "dump/profile/breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/trace.h"

#define STEP_EVERY 65536

struct work {
	const struct activities *acts;
	uint8_t *part;                   /* by activity: enum time_part */
	struct busy taken;               /* by this part or one before it */
	uint64_t *sum_ns;                /* of taken: how much lies before a stretch */
	struct stretch window;           /* all steps lie within it */
	unsigned recorded;
};

/* Parts. */

/* known: by name, the part that it says as a host op's + 1; 0: not asked yet. */
static enum time_part said_by(const struct activities *acts, uint32_t name, uint8_t *known)
{
	const char *text = acts->names.key[name];

	if (!known[name])
		known[name] = (uint8_t)(part_of_host_name(text, strlen(text)) + 1);
	return (enum time_part)(known[name] - 1);
}

static bool is_stage(const struct activities *acts, const struct activity *a)
{
	return !strcmp(acts->names.key[a->op], "Dataset");
}

static enum time_part part_of_host(const struct activities *acts, const struct activity *a,
                                   uint8_t *known)
{
	enum time_part part;

	if (is_stage(acts, a))
		return PART_OTHER;
	part = said_by(acts, acts->names.key[a->op][0] ? a->op : a->node, known);
	if (part != PART_OTHER)
		return part;
	return device_is_gpu(acts->devices.key[a->device]) ? PART_LAUNCH : PART_HOST_COMPUTE;
}

/* known: by name, the same of kernels. */
static enum time_part part_of_kernel(const struct activities *acts, const struct activity *a,
                                     uint8_t *known)
{
	if (!known[a->kernel])
		known[a->kernel] = name_is_collective(acts->names.key[a->kernel])
		                   ? PART_COLLECTIVES + 1 : PART_DEVICE_COMPUTE + 1;
	return (enum time_part)(known[a->kernel] - 1);
}

static bool find_parts(struct work *w, struct progress *progress, struct err *err)
{
	const struct activities *acts = w->acts;
	uint8_t *known = mem_alloc(acts->names.len + 1);
	uint8_t *collective = mem_alloc(acts->names.len + 1);
	bool on = true;

	for (size_t i = 0; on && i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];

		if (i % STEP_EVERY == 0)
			on = progress_step(progress, i, acts->at.len);
		w->part[i] = a->kind == ACTIVITY_COPY     ? PART_DEVICE_COPY
		             : a->kind == ACTIVITY_KERNEL ? part_of_kernel(acts, a, collective)
		                                          : part_of_host(acts, a, known);
		w->recorded |= 1u << w->part[i];
	}
	free(known);
	free(collective);
	return on || err_at(err, ERR_CANCELLED, "command", 0, "stopped");
}

/* Times. */

static uint64_t length(int64_t start_ns, int64_t end_ns)
{
	return (uint64_t)end_ns - (uint64_t)start_ns;
}

static int64_t whole(uint64_t ns)
{
	return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

static void take(struct work *w, int64_t start_ns, int64_t end_ns)
{
	if (start_ns < w->window.start_ns)
		start_ns = w->window.start_ns;
	if (end_ns > w->window.end_ns)
		end_ns = w->window.end_ns;
	if (start_ns < end_ns)
		busy_add(&w->taken, start_ns, end_ns - start_ns);
}

static void take_part(struct work *w, enum time_part part)
{
	const struct activities *acts = w->acts;
	const struct busy *noted = acts->trace ? &acts->trace->host_time[part] : NULL;
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < acts->at.len; i++)
		if (w->part[i] == part)
			take(w, acts->at.at[i].start_ns,
			     acts->at.at[i].start_ns + acts->at.at[i].len_ns);
	w->recorded |= noted && noted->at.len ? 1u << part : 0;
	for (size_t i = 0; noted && i < noted->at.len; i++)
		take(w, noted->at.at[i].start_ns, noted->at.at[i].end_ns);
	busy_unite(&w->taken);
	w->sum_ns = mem_realloc(w->sum_ns, (w->taken.at.len + 1) * sizeof *w->sum_ns);
	for (size_t i = 0; i < w->taken.at.len; i++) {
		w->sum_ns[i] = sum_ns;
		sum_ns += length(w->taken.at.at[i].start_ns, w->taken.at.at[i].end_ns);
	}
}

/* How much is taken before a time. */
static uint64_t taken_before(const struct work *w, int64_t at_ns)
{
	const struct stretch *at = w->taken.at.at;
	size_t low = 0, high = w->taken.at.len;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (at[mid].start_ns < at_ns)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return 0;
	low--;
	return w->sum_ns[low]
	       + length(at[low].start_ns, at_ns < at[low].end_ns ? at_ns : at[low].end_ns);
}

static void find_window(struct work *w, const struct stretch *steps, size_t n)
{
	w->window = (struct stretch){ INT64_MAX, INT64_MIN };
	for (size_t i = 0; i < n; i++) {
		if (steps[i].start_ns < w->window.start_ns)
			w->window.start_ns = steps[i].start_ns;
		if (steps[i].end_ns > w->window.end_ns)
			w->window.end_ns = steps[i].end_ns;
	}
}

static void share_out(struct work *w, const struct stretch *steps, size_t n,
                      struct breakdown *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct breakdown){
			.total_ns = whole(length(steps[i].start_ns, steps[i].end_ns)),
		};
		out[i].part_ns[PART_OTHER] = out[i].total_ns;
	}
	for (int part = 0; part < PART_OTHER; part++) {
		take_part(w, (enum time_part)part);
		for (size_t i = 0; i < n; i++) {
			int64_t taken = whole(taken_before(w, steps[i].end_ns)
			                      - taken_before(w, steps[i].start_ns));
			int64_t before = out[i].total_ns - out[i].part_ns[PART_OTHER];

			out[i].part_ns[part] = taken - before;
			out[i].part_ns[PART_OTHER] = out[i].total_ns - taken;
		}
	}
	for (size_t i = 0; i < n; i++)
		out[i].recorded = w->recorded | 1u << PART_OTHER;
}

bool breakdown_of(const struct activities *acts, const struct stretch *steps, size_t n,
                  struct breakdown *out, struct progress *progress, struct err *err)
{
	struct work w = { .acts = acts, .part = mem_alloc(acts->at.len + 1) };
	bool ok = find_parts(&w, progress, err);

	if (ok) {
		find_window(&w, steps, n);
		share_out(&w, steps, n, out);
	}
	busy_release(&w.taken);
	free(w.part);
	free(w.sum_ns);
	return ok;
}
