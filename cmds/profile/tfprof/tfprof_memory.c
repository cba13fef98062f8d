/*
 * All points and all changes lie in two lists; a device takes its part of each. At every shown
 * moment each node of the device is asked what it held just before.
 */
#include "cmds/profile/tfprof/tfprof_memory.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/model/device.h"

enum { TOP = 10, POINTS_APART_US = 100 };

struct point {
	uint32_t device, order, seq;
	int64_t us, bytes;
};

struct change {
	uint32_t node;
	int64_t us, bytes;
};

/* A node of a device: its changes are change[first .. first + n), bytes summed up to each. */
struct holder {
	uint32_t node;
	size_t first, n;
};

struct held {
	int64_t bytes;
	size_t holder;
};

struct tfprof_memory {
	const struct tfprof *tfprof;
	VEC(uint32_t) devices;           /* not the CPU's, sorted by name */
	VEC(struct point) points;
	VEC(struct change) changes;
	VEC(struct holder) holders;      /* sorted by device and name */
	bool settled;
};

struct tfprof_memory *tfprof_memory_new(const struct tfprof *tfprof)
{
	struct tfprof_memory *memory = mem_alloc(sizeof *memory);

	memory->tfprof = tfprof;
	return memory;
}

void tfprof_memory_free(struct tfprof_memory *memory)
{
	vec_release(&memory->devices);
	vec_release(&memory->points);
	vec_release(&memory->changes);
	vec_release(&memory->holders);
	free(memory);
}

static uint32_t device_of(const struct tfprof_memory *memory, uint32_t node)
{
	return memory->tfprof->nodes.at[node].device;
}

static bool is_told(const struct tfprof_memory *memory, uint32_t node)
{
	return !tfprof_is_cpu(tfprof_text(memory->tfprof, device_of(memory, node)));
}

/* What a node keeps on the device from the start: its maximum over the steps. */
void tfprof_memory_node(struct tfprof_memory *memory, uint32_t node)
{
	const struct tfprof *t = memory->tfprof;
	struct change kept = { .node = node };
	struct tfprof_exec exec = { .next = t->nodes.at[node].exec };

	if (!is_told(memory, node))
		return;
	while (exec.next != TFPROF_NONE) {
		exec = tfprof_exec_at(t, exec.next);
		if (exec.persistent > kept.bytes)
			kept.bytes = exec.persistent;
	}
	vec_push(&memory->changes, kept);
	vec_push(&memory->holders, ((struct holder){ .node = node }));
}

void tfprof_memory_in_use(struct tfprof_memory *memory, uint32_t node, uint32_t order, int64_t us,
                          int64_t bytes)
{
	struct point point = { device_of(memory, node), order, (uint32_t)memory->points.len, us,
	                       bytes };

	if (is_told(memory, node) && us > 0)
		vec_push(&memory->points, point);
}

void tfprof_memory_allocation(struct tfprof_memory *memory, uint32_t node, int64_t us,
                              int64_t bytes)
{
	if (is_told(memory, node))
		vec_push(&memory->changes, ((struct change){ node, us, bytes }));
}

#define COMPARE(a, b) if ((a) != (b)) return (a) < (b) ? -1 : 1

static int by_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	COMPARE(x->node, y->node);
	COMPARE(x->us, y->us);
	return 0;
}

static int by_point(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	COMPARE(x->device, y->device);
	COMPARE(x->us, y->us);
	COMPARE(x->order, y->order);
	COMPARE(x->seq, y->seq);
	return 0;
}

static int by_node(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	COMPARE(x->node, y->node);
	return 0;
}

static int by_device_and_name(const void *a, const void *b, void *context)
{
	const struct tfprof_memory *memory = context;
	const struct holder *x = a, *y = b;
	int order = strcmp(tfprof_text(memory->tfprof, device_of(memory, x->node)),
	                   tfprof_text(memory->tfprof, device_of(memory, y->node)));

	return order ? order
	             : strcmp(tfprof_name(memory->tfprof, x->node),
	                      tfprof_name(memory->tfprof, y->node));
}

/* Each node's changes together, in order of time, bytes summed. */
static void sum_changes(struct tfprof_memory *memory)
{
	size_t at = 0;

	if (memory->changes.len)
		qsort(memory->changes.at, memory->changes.len, sizeof *memory->changes.at,
		      by_change);
	if (memory->holders.len)
		qsort(memory->holders.at, memory->holders.len, sizeof *memory->holders.at, by_node);
	for (size_t h = 0; h < memory->holders.len; h++) {
		struct holder *holder = &memory->holders.at[h];
		int64_t sum = 0;

		while (at < memory->changes.len && memory->changes.at[at].node < holder->node)
			at++;
		holder->first = at;
		for (; at < memory->changes.len && memory->changes.at[at].node == holder->node;
		     at++, holder->n++) {
			sum = tfprof_add(sum, memory->changes.at[at].bytes);
			memory->changes.at[at].bytes = sum;
		}
	}
}

static void settle(struct tfprof_memory *memory)
{
	if (memory->settled)
		return;
	memory->settled = true;
	sum_changes(memory);
	if (memory->points.len)
		qsort(memory->points.at, memory->points.len, sizeof *memory->points.at, by_point);
	if (memory->holders.len)
		qsort_r(memory->holders.at, memory->holders.len, sizeof *memory->holders.at,
		        by_device_and_name, memory);
	for (size_t h = 0; h < memory->holders.len; h++) {
		uint32_t device = device_of(memory, memory->holders.at[h].node);

		if (!memory->devices.len || *vec_last(&memory->devices) != device)
			vec_push(&memory->devices, device);
	}
}

void tfprof_memory_processes(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid)
{
	struct str name = {0};

	settle(memory);
	for (size_t d = 0; d < memory->devices.len; d++) {
		str_reset(&name);
		str_fmt(&name, "mem usage on:%s",
		        tfprof_text(memory->tfprof, memory->devices.at[d]));
		trace_process(trace, pid++, name.text);
		str_puts(&name, " allocations");
		trace_process(trace, pid++, name.text);
	}
	str_release(&name);
}

/* What a node held just before a moment; before its first change, what it held after that. */
static int64_t held_before(const struct tfprof_memory *memory, const struct holder *holder,
                           int64_t us)
{
	const struct change *change = memory->changes.at + holder->first;
	size_t low = 0, high = holder->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (change[mid].us < us)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)               /* the sum of all at that first moment */
		while (low + 1 < holder->n && change[low + 1].us == change[0].us)
			low++;
	else
		low--;
	return change[low].bytes;
}

static int by_most(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	COMPARE(y->bytes, x->bytes);
	COMPARE(x->holder, y->holder);
	return 0;
}

typedef VEC(struct held) held_list;

/* The shortest of 15 or 17 digits that reads back. */
static void put_megabytes(struct str *out, int64_t bytes)
{
	double mb = (double)bytes / 1000000.0;
	size_t begin = out->len;

	str_fmt(out, "%.15g", mb);
	if (strtod(out->text + begin, NULL) != mb) {
		str_cut(out, begin);
		str_fmt(out, "%.17g", mb);
	}
}

/*
 * The nodes that hold most of what is in use; one that holds more than the rest of it is skipped.
 */
static void put_top(const struct tfprof_memory *memory, const held_list *held, int64_t left,
                    struct data *data)
{
	const char *top[TOP] = {0};
	struct str text = {0}, key = {0};
	size_t text_at[TOP], n = 0;

	for (size_t i = 0; i < held->len && n < TOP; i++) {
		const struct held *h = &held->at[i];

		if (left < h->bytes)
			continue;
		text_at[n++] = text.len;
		put_megabytes(&text, h->bytes);
		str_fmt(&text, " MB from %s",
		        tfprof_name(memory->tfprof, memory->holders.at[h->holder].node));
		str_putc(&text, '\0');
		left -= h->bytes;
	}
	for (size_t i = 0; i < n; i++)
		top[i] = text.text + text_at[i];
	str_fmt(&key, "%.2f MB", (double)left / 1000000.0);
	data_key(data, "Not Displayed");
	data_str(data, key.text);
	for (int i = n ? 0 : 1; i < TOP; i++) {
		str_reset(&key);
		str_fmt(&key, "Top Allocation %02d", i);
		data_key(data, key.text);
		data_str(data, top[i] ? top[i] : "N/A");
	}
	str_release(&text);
	str_release(&key);
}

static void write_point(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid,
                        const struct point *point, size_t first, size_t end)
{
	held_list held = {0};

	trace_counter(trace);
	data_key(&trace->data, "Allocator Bytes in Use");
	data_int(&trace->data, point->bytes);
	trace_counter_end(trace, "Allocated Bytes", pid, point->us);
	for (size_t h = first; h < end; h++) {
		struct held now = { held_before(memory, &memory->holders.at[h], point->us), h };

		if (now.bytes > 0)
			vec_push(&held, now);
	}
	if (held.len)
		qsort(held.at, held.len, sizeof *held.at, by_most);
	trace_counter(trace);
	put_top(memory, &held, point->bytes, &trace->data);
	trace_counter_end(trace, "Top Allocations", pid + 1, point->us);
	vec_release(&held);
}

/* Points of one moment: the last counts. */
static void write_points(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid,
                         uint32_t device, size_t first, size_t end, struct str *said)
{
	const char *name = tfprof_text(memory->tfprof, device);
	int64_t peak = 0, last = 0;

	for (size_t i = 0; i < memory->points.len; i++) {
		const struct point *point = &memory->points.at[i];

		if (point->device != device ||
		    (i + 1 < memory->points.len && point[1].device == device &&
		     point[1].us == point->us))
			continue;
		if (point->bytes > peak)
			peak = point->bytes;
		if (point->us - last < POINTS_APART_US)
			continue;
		last = point->us;
		write_point(memory, trace, pid, point, first, end);
	}
	if (device_is_gpu(name))
		str_fmt(said, "%s peak memory: %.2f MB\n", name, (double)peak / 1000000.0);
}

void tfprof_memory_counters(struct tfprof_memory *memory, struct trace_writer *trace, int64_t pid,
                            struct str *said)
{
	size_t first = 0;

	settle(memory);
	for (size_t d = 0; d < memory->devices.len; d++, pid += 2) {
		size_t end = first;

		while (end < memory->holders.len &&
		       device_of(memory, memory->holders.at[end].node) == memory->devices.at[d])
			end++;
		write_points(memory, trace, pid, memory->devices.at[d], first, end, said);
		first = end;
	}
}
