/* They equal the counters in `timeline --memory`. */
#include "cmds/profile/memory_peaks.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/profile/profile_time.h"
#include "dump/base/mem.h"
#include "dump/profile/label.h"

#define STEP_EVERY 512

static void note_use(struct memory_peaks *m, const struct record_detail *detail)
{
	for (size_t i = 0; i < detail->n_memory; i++) {
		const struct allocator_use *use = &detail->memory[i];
		uint32_t id = map_add(&m->users, &m->lives.mem, use->allocator,
		                      strlen(use->allocator));

		if (id == m->in_use.len)
			vec_push(&m->in_use, 0);
		if (use->in_use > m->in_use.at[id])
			m->in_use.at[id] = use->in_use;
	}
}

static int64_t end_of(const struct step *step, const struct record *record)
{
	struct record_times t = step_times(step, record);

	return (int64_t)((uint64_t)t.all_start_us + (uint64_t)t.all_end_us);
}

static void make(struct memory_peaks *m, const struct step *step, const struct record *record,
                 const struct record_detail *detail)
{
	struct tensor_life life = { .from_us = record->start_us, .to_us = end_of(step, record) };

	for (size_t i = 0; i < detail->n_outputs; i++)
		life_made(&m->lives, record_name(step, record), true, i, &detail->outputs[i],
		          &life);
}

static void use(struct memory_peaks *m, const struct step *step, const struct record *record,
                const char *label, size_t len)
{
	struct text node, op, inputs;
	uint32_t tensor;

	if (lane_is_of_gpu(step->lanes.at[record->lane].kind))
		return;
	label_node(label, len, record_name(step, record), &node, &op, &inputs);
	while (life_taken(&m->lives, &inputs, end_of(step, record), &tensor))
		;
}

/*
 * After damage the intact part of a record is used; any other error ends the reading. Only the
 * first is reported.
 */
static bool only_damaged(struct call *call, const struct step *step, bool *told)
{
	if (call->err.code != ERR_FORMAT && call->err.code != ERR_LIMIT)
		return false;
	if (!*told)
		call_damage(call, step->file, &call->err);
	*told = true;
	call->err = (struct err){0};
	return true;
}

static bool read_lives(struct call *call, struct memory_peaks *m, const struct step *step)
{
	struct detail_reader reader;
	size_t n = step->records.len;
	bool ok = true, told = step->damage.code;

	if (!detail_open(&reader, step, &call->err))
		return false;
	for (size_t i = 0; ok && i < 2 * n; i++) {
		const struct record *record = &step->records.at[i % n];
		const char *label;
		size_t len = 0;

		if (!(i % STEP_EVERY) && !progress_step(call->progress, i, 2 * n)) {
			ok = err_at(&call->err, ERR_CANCELLED, "command", 0,
			            "stopped after %zu of %zu records", i % n, n);
		} else if (i < n) {
			ok = detail_read(&reader, record, DETAIL_ALL, &call->err) ||
			     only_damaged(call, step, &told);
			make(m, step, record, &reader.detail);
			note_use(m, &reader.detail);
		} else {
			label = detail_label(&reader, record, &len, &call->err);
			ok = label || only_damaged(call, step, &told);
			use(m, step, record, label ? label : "", len);
		}
	}
	detail_close(&reader);
	return ok;
}

/* Peaks. */

static int by_size(const void *a, const void *b, void *lives)
{
	const struct tensor_lives *l = lives;
	const struct tensor_life *p = &l->at.at[*(const uint32_t *)a];
	const struct tensor_life *q = &l->at.at[*(const uint32_t *)b];

	if (p->bytes != q->bytes)
		return p->bytes > q->bytes ? -1 : 1;
	return strcmp(l->names.key[*(const uint32_t *)a], l->names.key[*(const uint32_t *)b]);
}

/* What an event does to the tensors that are alive. */
static void step_alive(const struct life_event *e, bool *alive)
{
	alive[e->tensor] = !(e->bytes < 0 || (e->bytes == 0 && alive[e->tensor]));
}

/* The tensors alive after the first events of an allocator. alive is all false before and after. */
static void find_live(struct memory_peaks *m, struct peak *peak, const struct life_event *at,
                      size_t n, bool *alive)
{
	peak->live.len = 0;
	for (size_t i = 0; i < n; i++)
		step_alive(&at[i], alive);
	for (size_t i = 0; i < n; i++)
		if (alive[at[i].tensor]) {
			vec_push(&peak->live, at[i].tensor);
			alive[at[i].tensor] = false;
		}
	if (peak->live.len)
		qsort_r(peak->live.at, peak->live.len, sizeof *peak->live.at, by_size, &m->lives);
}

static void find_peak(struct memory_peaks *m, struct peak *peak, const struct life_event *at,
                      size_t n, bool *alive)
{
	size_t top = 0;
	int64_t now = 0;

	for (size_t i = 0; i < n; i++) {
		now = saturated_sum(now, at[i].bytes);
		if (now <= peak->bytes)
			continue;
		peak->bytes = now;
		peak->at_us = at[i].us;
		top = i + 1;
	}
	peak->most = peak->bytes;
	find_live(m, peak, at, top, alive);
}

static void find_peaks(struct memory_peaks *m)
{
	bool *alive = mem_alloc(m->lives.at.len + 1);
	const size_t *first;

	life_events_of(&m->lives, &m->events, &m->first);
	first = m->first;
	for (size_t i = 0; i < m->lives.allocators.len; i++) {
		const char *name = m->lives.allocators.key[i];
		uint32_t user = map_find(&m->users, name, strlen(name));
		struct peak *peak = vec_add(&m->at);

		peak->in_use = user == MAP_NONE ? 0 : m->in_use.at[user];
		peak->tensors = (first[i + 1] - first[i]) / 2;
		if (first[i + 1] > first[i])
			find_peak(m, peak, &m->events.at.at[first[i]], first[i + 1] - first[i],
			          alive);
	}
	for (size_t i = 0; i < m->lives.at.len; i++) {
		int64_t *sum = &m->at.at[m->lives.at.at[i].allocator].sum;

		*sum = saturated_sum(*sum, m->lives.at.at[i].bytes);
	}
	free(alive);
}

bool memory_peaks_read(struct call *call, const struct step *step, struct memory_peaks *out)
{
	struct extent extent;

	step_extent(step, &extent);
	out->begin_us = extent.start_us;
	out->end_us = extent.end_us;
	if (!read_lives(call, out, step))
		return false;
	find_peaks(out);
	return true;
}

void memory_peaks_release(struct memory_peaks *m)
{
	vec_release(&m->events.at);
	free(m->first);
	for (size_t i = 0; i < m->at.len; i++)
		vec_release(&m->at.at[i].live);
	vec_release(&m->at);
	vec_release(&m->in_use);
	map_release(&m->users);
	lives_release(&m->lives);
}

bool memory_peaks_recorded(const struct memory_peaks *m, size_t allocator)
{
	return m->lives.allocators.key[allocator][0];
}

void memory_peaks_go(struct memory_peaks *m, struct peak *peak, int64_t after_us)
{
	size_t i = (size_t)(peak - m->at.at), n = 0;
	const struct life_event *at = &m->events.at.at[m->first[i]];
	bool *alive = mem_alloc(m->lives.at.len + 1);

	if (__builtin_add_overflow(m->begin_us, after_us, &peak->at_us))
		peak->at_us = after_us < 0 ? INT64_MIN : INT64_MAX;
	peak->bytes = 0;
	while (n < m->first[i + 1] - m->first[i] && at[n].us <= peak->at_us)
		peak->bytes = saturated_sum(peak->bytes, at[n++].bytes);
	find_live(m, peak, at, n, alive);
	free(alive);
}
