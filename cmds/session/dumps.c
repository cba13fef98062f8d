#include "cmds/session/dumps.h"

#include <stdlib.h>
#include <string.h>

/* A slot, and the dump of it that the directory walk met first. */
struct slot_first {
	uint32_t slot, first;
};

struct ranked {
	uint32_t at, first;
};

static struct slot_first *slot_entry(struct slot_first *slots, size_t n, uint32_t slot)
{
	for (size_t i = 0; i < n; i++)
		if (slots[i].slot == slot)
			return &slots[i];
	return NULL;
}

static int by_slot_and_op(const void *a, const void *b, void *context)
{
	const struct run *run = context;
	const struct ranked *x = a, *y = b;
	const struct tensor *t = &run->tensors.at[x->at], *u = &run->tensors.at[y->at];
	int ops;

	if (x->first != y->first)
		return tensor_walks_before(run, x->first, y->first) ? -1 : 1;
	ops = strcmp(run->debug_ops.key[t->debug_op], run->debug_ops.key[u->debug_op]);
	return ops ? ops : (x->at > y->at) - (x->at < y->at);
}

static void sort_dumps(const struct run *run, struct dumps *dumps)
{
	VEC(struct slot_first) slots = {0};
	struct ranked *ranked = mem_alloc(dumps->at.len * sizeof *ranked);

	for (size_t i = 0; i < dumps->at.len; i++) {
		uint32_t at = dumps->at.at[i], slot = run->tensors.at[at].slot;
		struct slot_first *entry = slot_entry(slots.at, slots.len, slot);

		if (!entry)
			vec_push(&slots, ((struct slot_first){ slot, at }));
		else if (tensor_walks_before(run, at, entry->first))
			entry->first = at;
	}
	for (size_t i = 0; i < dumps->at.len; i++) {
		uint32_t at = dumps->at.at[i];

		ranked[i].at = at;
		ranked[i].first = slot_entry(slots.at, slots.len, run->tensors.at[at].slot)->first;
	}
	qsort_r(ranked, dumps->at.len, sizeof *ranked, by_slot_and_op, (void *)run);
	for (size_t i = 0; i < dumps->at.len; i++)
		dumps->at.at[i] = ranked[i].at;
	vec_release(&slots);
	free(ranked);
}

void dumps_of_node(const struct run *run, const char *node, int device, struct dumps *out)
{
	uint32_t id = map_find(&run->nodes, node, strlen(node));
	const uint32_t *tensors;
	size_t n = 0;

	if (id == MAP_NONE)
		return;
	tensors = run_node_tensors(run, id, &n);
	for (size_t i = 0; i < n; i++)
		if (device < 0 || run->tensors.at[tensors[i]].device == device)
			vec_push(&out->at, tensors[i]);
	sort_dumps(run, out);
}

void tensor_put_data(const struct run *run, const struct tensor *t, struct data *data)
{
	struct str name = {0};

	run_put_name(run, t, &name);
	data_key(data, "tensor");
	data_str(data, name.text);
	data_key(data, "debug_op");
	data_str(data, run->op_type ? NULL : run->debug_ops.key[t->debug_op]);
	data_key(data, "dump");
	data_uint(data, t->number);
	data_key(data, "time_us");
	data_int_or_null(data, run_rel_us(run, t));
	data_key(data, "size_bytes");
	data_int_or_null(data, t->size_bytes);
	str_release(&name);
}
