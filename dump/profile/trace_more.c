/* What only some traces tell of their records; queues of streams are found from all launches. */
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/profile/trace_parts.h"

#define put_at(list, i, value, none) do { \
	while ((list)->len <= (i)) \
		vec_push((list), (none)); \
	(list)->at[i] = (value); \
} while (0)

void trace_set_sum(struct trace *trace, uint32_t record, const struct trace_sum *sum)
{
	static const struct trace_sum one = { 1, -1, -1 };

	put_at(&trace->more.sums, record, *sum, one);
}

void trace_set_shape(struct trace *trace, uint32_t record, uint32_t shape)
{
	put_at(&trace->more.shape, record, shape, MAP_NONE);
}

void trace_set_frame(struct trace *trace, uint32_t record, uint32_t frame)
{
	put_at(&trace->more.frame, record, frame, MAP_NONE);
}

void trace_set_work(struct trace *trace, uint32_t record, double flops, double bytes)
{
	put_at(&trace->more.flops, record, flops, -1);
	put_at(&trace->more.bytes, record, bytes, -1);
}

void trace_set_peak(struct trace *trace, uint32_t device, double flops, double bytes)
{
	put_at(&trace->peaks, device, ((struct trace_peak){ flops, bytes }),
	       ((struct trace_peak){ 0, 0 }));
}

static int64_t kept_within(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

#define add_at(list, i, value) do { \
	while ((list)->len <= (i)) \
		vec_push((list), 0); \
	(list)->at[i] = kept_within((list)->at[i], (value)); \
} while (0)

void trace_add_op_memory(struct trace *trace, uint32_t record, int64_t bytes)
{
	add_at(&trace->more.memory, record, bytes);
}

void trace_add_device_time(struct trace *trace, uint32_t record, int64_t len_ns)
{
	add_at(&trace->more.device_ns, record, len_ns);
}

/* Queues. */

struct queued {
	uint64_t stream;                 /* device and stream */
	int64_t launch_ns, start_ns;
	uint32_t record;
};

static int by_launch(const void *a, const void *b)
{
	const struct queued *p = a, *q = b;

	if (p->stream != q->stream)
		return p->stream < q->stream ? -1 : 1;
	return (p->launch_ns > q->launch_ns) - (p->launch_ns < q->launch_ns);
}

static int by_start(const void *a, const void *b)
{
	const struct queued *p = a, *q = b;

	if (p->stream != q->stream)
		return p->stream < q->stream ? -1 : 1;
	return (p->start_ns > q->start_ns) - (p->start_ns < q->start_ns);
}

static bool is_launched(const struct activity *a, int64_t *launch_ns)
{
	return a->kind != ACTIVITY_HOST && a->launch_delay_ns != -1
	       && !__builtin_sub_overflow(a->start_ns, a->launch_delay_ns, launch_ns);
}

static size_t count_launched(const struct trace *trace)
{
	int64_t launch_ns;
	size_t n = 0;

	for (size_t i = 0; i < trace->all.at.len; i++)
		n += is_launched(&trace->all.at.at[i], &launch_ns);
	return n;
}

static void take_launched(const struct trace *trace, struct queued *out)
{
	for (size_t i = 0; i < trace->all.at.len; i++) {
		const struct activity *a = &trace->all.at.at[i];
		int64_t launch_ns;

		if (is_launched(a, &launch_ns))
			*out++ = (struct queued){ (uint64_t)a->device << 32 | a->stream,
			                          launch_ns, a->start_ns, a->record };
	}
}

/* How many were launched up to a time, less how many had begun by then. */
void trace_find_queues(struct trace *trace)
{
	size_t n = count_launched(trace), begun = 0;
	struct queued *by_call = mem_alloc((n + 1) * sizeof *by_call);
	struct queued *by_begin = mem_alloc((n + 1) * sizeof *by_begin);

	take_launched(trace, by_call);
	memcpy(by_begin, by_call, n * sizeof *by_call);
	qsort(by_call, n, sizeof *by_call, by_launch);
	qsort(by_begin, n, sizeof *by_begin, by_start);
	for (size_t i = 0, last = 0; i < n; i++) {
		const struct queued *q = &by_call[i];

		if (i && by_call[i - 1].stream != q->stream)
			begun = i;
		/* Of several launched at once each sees the others. */
		for (last = last > i ? last : i; last < n && by_call[last].stream == q->stream
		     && by_call[last].launch_ns == q->launch_ns; )
			last++;
		while (begun < n && by_begin[begun].stream == q->stream
		       && by_begin[begun].start_ns <= q->launch_ns)
			begun++;
		put_at(&trace->more.queue, q->record,
		       last > begun ? (uint32_t)(last - begun) : 0, 0);
	}
	free(by_call);
	free(by_begin);
}
