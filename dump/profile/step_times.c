/*
 * Times in 32 bytes instead of 72. The relative micros have 32 bits each; of the nanos only the
 * part beyond the micros is stored (or that they are 0); the scheduled time becomes queue_ns. If
 * any of them does not fit (or start_ns would be negative), the whole set goes to step->wide,
 * start_ns is WIDE and rel_us[0] the index there.
 *
 * The median is found by counting bytes from the highest down: linear for any values, without a
 * copy.
 */
#include "dump/profile/step_source.h"


enum { NO_NS = -1, NO_QUEUE = INT32_MIN, WIDE = INT16_MIN, ZERO = INT16_MIN };

#define DAY_US (24 * 3600 * INT64_C(1000000))
/* The latest start that counts: a few days after it still fit 64 bits in ns. */
#define LATEST_US (INT64_MAX / 1000 - 7 * DAY_US)

static bool fits(int64_t value)
{
	return value > INT32_MIN && value <= INT32_MAX;
}

/* Nanos beside micros. */
static bool pack_beyond(int64_t us, int64_t ns, int16_t *out)
{
	int64_t beyond;

	*out = ZERO;
	if (!ns)
		return true;
	if (__builtin_sub_overflow(ns, us * 1000, &beyond) || beyond <= INT16_MIN ||
	    beyond > INT16_MAX)
		return false;
	*out = (int16_t)beyond;
	return true;
}

static int64_t nanos_of(const struct record *record, int i)
{
	if (record->beyond_ns[i] == ZERO)
		return 0;
	return record->rel_us[i] * INT64_C(1000) + record->beyond_ns[i];
}

static bool pack_narrow(struct record *record, const struct record_times *times)
{
	const int64_t us[] = { times->op_start_us, times->op_end_us, times->all_end_us };
	const int64_t ns[] = { times->op_start_ns, times->op_end_ns, times->all_end_ns };
	int64_t start_ns = NO_NS;

	for (int i = 0; i < 3; i++) {
		if (!fits(us[i]) || !pack_beyond(us[i], ns[i], &record->beyond_ns[i]))
			return false;
		record->rel_us[i] = (int32_t)us[i];
	}
	if (times->has_ns
	    && (__builtin_mul_overflow(times->all_start_us, 1000, &start_ns)
	        || __builtin_sub_overflow(times->all_start_ns, start_ns, &start_ns)
	        || start_ns < 0 || start_ns > INT16_MAX))
		return false;
	if (times->has_queue && !fits(times->queue_ns))
		return false;
	record->start_ns = (int16_t)start_ns;
	record->queue_ns = times->has_queue ? (int32_t)times->queue_ns : NO_QUEUE;
	return true;
}

void times_pack(struct step *step, struct record *record, const struct record_times *times)
{
	record->start_us = times->all_start_us;
	if (pack_narrow(record, times))
		return;
	record->start_ns = WIDE;
	record->rel_us[0] = (int32_t)(uint32_t)step->wide.len;
	vec_push(&step->wide, *times);
}

struct record_times step_times(const struct step *step, const struct record *r)
{
	struct record_times t;

	if (r->start_ns == WIDE) {
		t = step->wide.at[(uint32_t)r->rel_us[0]];
	} else {
		t = (struct record_times){
			.all_start_us = r->start_us, .op_start_us = r->rel_us[0],
			.op_end_us = r->rel_us[1], .all_end_us = r->rel_us[2],
			.op_start_ns = nanos_of(r, 0), .op_end_ns = nanos_of(r, 1),
			.all_end_ns = nanos_of(r, 2), .has_ns = r->start_ns != NO_NS,
			.has_queue = r->queue_ns != NO_QUEUE,
		};
		t.all_start_ns = t.has_ns ? r->start_us * 1000 + r->start_ns : 0;
		t.queue_ns = t.has_queue ? r->queue_ns : 0;
	}
	if (!lane_is_executor(step->lanes.at[r->lane].kind))
		t.has_queue = false;
	return t;
}

/* Where it begins and ends. */

static bool is_time(int64_t start_us)
{
	return start_us > 0 && start_us <= LATEST_US;
}

/* Lower median of the possible starts; 0: there are none. */
static int64_t median_start(const struct step *step)
{
	uint64_t prefix = 0;
	size_t n = 0, rank;

	for (size_t i = 0; i < step->records.len; i++)
		n += is_time(step->records.at[i].start_us);
	if (!n)
		return 0;
	rank = (n - 1) / 2;
	for (int shift = 56; shift >= 0; shift -= 8) {
		size_t count[256] = {0};
		unsigned byte = 0;

		for (size_t i = 0; i < step->records.len; i++) {
			uint64_t start = (uint64_t)step->records.at[i].start_us;

			if (is_time((int64_t)start) &&
			    (shift == 56 || start >> (shift + 8) == prefix))
				count[start >> shift & 0xff]++;
		}
		while (rank >= count[byte])
			rank -= count[byte++];
		prefix = prefix << 8 | byte;
	}
	return (int64_t)prefix;
}

bool record_is_impossible(const struct record_times *times, int64_t median_start_us)
{
	int64_t start = times->all_start_us;

	return !is_time(start) || times->all_end_us < 0 || times->all_end_us > DAY_US
	       || start - median_start_us > DAY_US || median_start_us - start > DAY_US;
}

bool step_extent(const struct step *step, struct extent *extent)
{
	bool any = false;

	*extent = step->trace_extent;
	if (step->trace)
		return extent->span_ns > 0;
	*extent = (struct extent){ .median_start_us = median_start(step) };
	for (size_t i = 0; i < step->records.len; i++) {
		const struct record *r = &step->records.at[i];
		enum lane_kind kind = step->lanes.at[r->lane].kind;
		struct record_times t;

		if (kind == LANE_HOST || kind == LANE_GPU_OTHER)
			continue;
		t = step_times(step, r);
		if (record_is_impossible(&t, extent->median_start_us)) {
			extent->n_impossible++;
			continue;
		}
		if (!any || t.all_start_us < extent->start_us)
			extent->start_us = t.all_start_us;
		if (!any || t.all_start_us + t.all_end_us > extent->end_us)
			extent->end_us = t.all_start_us + t.all_end_us;
		any = true;
	}
	extent->span_ns = (extent->end_us - extent->start_us) * 1000;
	return any;
}
