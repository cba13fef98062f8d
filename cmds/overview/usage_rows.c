/*
 * First what has the same text is added up, by its number; then a row is made for each text, or for
 * each beginning of it that is a scope. So the work on texts does not grow with the tensors.
 */
#include "cmds/overview/usage_rows.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/lang/pattern.h"
#include "dump/base/mem.h"

#define NO_ROW UINT32_MAX

struct sum {
	uint64_t bytes, tensors;
};

/* What an item is counted under; the last number stands for what is not known. */
static const struct map *texts_of(const struct usage *usage, enum usage_group group)
{
	switch (group) {
	case USAGE_BY_OP: return &usage->ops;
	case USAGE_BY_DEVICE: return &usage->devices;
	case USAGE_BY_DTYPE: return &usage->dtypes;
	default: return &usage->names;
	}
}

static uint32_t number_in(const struct usage_item *item, enum usage_group group)
{
	switch (group) {
	case USAGE_BY_OP: return item->op;
	case USAGE_BY_DEVICE: return item->device;
	case USAGE_BY_DTYPE: return item->dtype;
	default: return item->name;
	}
}

/* Is the name that of the scope, or in it? */
static bool is_within(const char *name, const char *scope)
{
	size_t len = strlen(scope);

	return !len || (!strncmp(name, scope, len) && (!name[len] || name[len] == '/'));
}

/* What an item must have to count. */
struct wanted {
	bool *names;             /* by number; NULL: any */
	bool any_op, any_device, any_dtype;
	uint32_t op, device, dtype;
};

/* What no item has is a number that none has, so that nothing counts. */
static uint32_t wanted_number(const struct map *map, const char *word)
{
	uint32_t number = word ? map_find(map, word, strlen(word)) : 0;

	if (word && !strcmp(word, USAGE_NOT_KNOWN))
		return USAGE_UNKNOWN;
	return number == MAP_NONE ? USAGE_UNKNOWN - 1 : number;
}

static struct wanted wanted_of(const struct usage *usage, const struct usage_query *q)
{
	struct wanted w = {
		.any_op = !q->op, .op = wanted_number(&usage->ops, q->op),
		.any_device = !q->device, .device = wanted_number(&usage->devices, q->device),
		.any_dtype = !q->dtype, .dtype = wanted_number(&usage->dtypes, q->dtype),
	};

	if (!q->scope)
		return w;
	w.names = mem_alloc(usage->names.len + 1);
	for (size_t i = 0; i < usage->names.len; i++)
		w.names[i] = is_within(usage->names.key[i], q->scope);
	return w;
}

static bool counts(const struct wanted *w, const struct usage_item *item)
{
	return (!w->names || w->names[item->name]) && (w->any_op || w->op == item->op) &&
	       (w->any_device || w->device == item->device) &&
	       (w->any_dtype || w->dtype == item->dtype);
}

static void add_bytes(uint64_t *sum, uint64_t bytes)
{
	bool fits = bytes <= INT64_MAX && *sum <= INT64_MAX - bytes;

	*sum = fits ? *sum + bytes : USAGE_TOO_LARGE;
}

static void add_to(struct sum *sum, uint64_t bytes)
{
	add_bytes(&sum->bytes, bytes);
	sum->tensors++;
}

/* The row of this text; made, inside `parent`, if there is none. */
static uint32_t row_of(struct usage_rows *rows, const char *text, size_t len, uint32_t parent,
                       uint32_t level)
{
	uint32_t at = map_add(&rows->names, &rows->mem, text, len);

	if (at < rows->all.len)
		return at;
	*vec_add(&rows->all) = (struct usage_row){ .name = rows->names.key[at], .parent = parent,
	                                           .level = level };
	if (parent != NO_ROW)
		rows->all.at[parent].children++;
	return at;
}

static void add_sum(struct usage_row *row, const struct sum *sum)
{
	add_bytes(&row->bytes, sum->bytes);
	row->tensors += sum->tensors;
}

/*
 * Adds what a node has to its scopes below the one that is asked for, and to itself. Rows of one
 * level more than is shown are made, too, to be counted.
 */
static void add_name(struct usage_rows *rows, const char *name, const struct sum *sum,
                     const struct usage_query *q)
{
	size_t len = q->scope ? strlen(q->scope) : 0, begin = len ? len + 1 : 0, end;
	bool is_scope_itself = len && !name[len];
	uint32_t row = NO_ROW, level = 1;

	do {
		end = is_scope_itself ? len : begin + strcspn(name + begin, "/");
		row = row_of(rows, name, end, row, level);
		add_sum(&rows->all.at[row], sum);
		begin = end + 1;
	} while (name[end] && level++ <= q->depth);
	if (name[end])
		return;
	add_bytes(&rows->all.at[row].own_bytes, sum->bytes);
	rows->all.at[row].own_tensors += sum->tensors;
}

/* A node that has the name of a scope is a row in it. */
static void split_nodes(struct usage_rows *rows)
{
	size_t n = rows->all.len;

	for (size_t i = 0; i < n; i++) {
		struct usage_row row = rows->all.at[i];

		rows->all.at[i].is_node = !row.children;
		if (!row.children || !row.own_tensors)
			continue;
		rows->all.at[i].children++;
		vec_push(&rows->all, ((struct usage_row){
			.name = row.name, .bytes = row.own_bytes, .tensors = row.own_tensors,
			.level = row.level + 1, .is_node = true, .parent = (uint32_t)i,
		}));
	}
}

/* By text: what the items of all parts have in common. */
static void add_texts(struct usage_rows *rows, const struct usage *usage,
                      const struct usage_part *const *parts, size_t n, const struct wanted *w,
                      const struct usage_query *q)
{
	const struct map *texts = texts_of(usage, q->group);
	struct sum *sums = mem_alloc((texts->len + 1) * sizeof *sums);

	for (size_t p = 0; p < n; p++)
		for (size_t i = 0; i < parts[p]->items.len; i++) {
			const struct usage_item *item = &parts[p]->items.at[i];
			uint32_t number = number_in(item, q->group);

			if (counts(w, item))
				add_to(&sums[number < texts->len ? number : texts->len],
				       item->bytes);
		}
	for (size_t i = 0; i <= texts->len; i++) {
		const char *text = i < texts->len ? texts->key[i] : USAGE_NOT_KNOWN;

		if (!sums[i].tensors)
			continue;
		if (q->group == USAGE_BY_SCOPE) {
			add_name(rows, text, &sums[i], q);
		} else {
			uint32_t row = row_of(rows, text, strlen(text), NO_ROW, 1);

			add_sum(&rows->all.at[row], &sums[i]);
		}
	}
	if (q->group == USAGE_BY_SCOPE)
		split_nodes(rows);
	free(sums);
}

static void add_runs(struct usage_rows *rows, const struct usage_part *const *parts, size_t n,
                     const struct wanted *w)
{
	for (size_t p = 0; p < n; p++) {
		struct usage_row *row = vec_add(&rows->all);

		row->name = arena_copy(&rows->mem, parts[p]->name, strlen(parts[p]->name));
		row->run = parts[p]->number;
		row->level = 1;
		row->parent = NO_ROW;
		for (size_t i = 0; i < parts[p]->items.len; i++)
			if (counts(w, &parts[p]->items.at[i]))
				add_sum(row, &(struct sum){ parts[p]->items.at[i].bytes, 1 });
	}
}

static void add_totals(struct usage_rows *rows, const struct usage_part *const *parts, size_t n)
{
	for (size_t i = 0; i < rows->all.len; i++) {
		if (rows->all.at[i].parent != NO_ROW)
			continue;
		add_bytes(&rows->bytes, rows->all.at[i].bytes);
		rows->tensors += rows->all.at[i].tensors;
	}
	for (size_t p = 0; p < n; p++)
		for (size_t i = 0; i < parts[p]->items.len; i++)
			add_bytes(&rows->all_bytes, parts[p]->items.at[i].bytes);
}

/* At most MAX_USAGE_DEPTH deep. */
static void show_from(struct usage_rows *rows, uint32_t first, uint32_t depth)
{
	for (uint32_t at = first; at != NO_ROW; at = rows->all.at[at].next) {
		vec_push(&rows->shown, &rows->all.at[at]);
		if (rows->all.at[at].level < depth)
			show_from(rows, rows->all.at[at].first, depth);
	}
}

static void show(struct usage_rows *rows, const struct usage_query *q)
{
	uint32_t first = NO_ROW;

	for (size_t i = 0; i < rows->all.len; i++)
		rows->all.at[i].first = NO_ROW;
	for (uint32_t i = (uint32_t)rows->all.len; i-- > 0;) {
		uint32_t parent = rows->all.at[i].parent;
		uint32_t *place = parent == NO_ROW ? &first : &rows->all.at[parent].first;

		rows->all.at[i].next = *place;
		*place = i;
	}
	show_from(rows, first, q->depth);
}

void usage_rows_init(struct usage_rows *rows, const struct usage *usage,
                     const struct usage_part *const *parts, size_t n,
                     const struct usage_query *query)
{
	struct wanted wanted = wanted_of(usage, query);

	*rows = (struct usage_rows){ .n_parts = n };
	if (query->group == USAGE_BY_RUN)
		add_runs(rows, parts, n, &wanted);
	else
		add_texts(rows, usage, parts, n, &wanted, query);
	add_totals(rows, parts, n);
	show(rows, query);
	free(wanted.names);
}

void usage_rows_release(struct usage_rows *rows)
{
	vec_release(&rows->all);
	vec_release(&rows->shown);
	map_release(&rows->names);
	arena_release(&rows->mem);
}

/* A type that is a reference has another name for the recorder. */
bool usage_put_filter(const struct usage_row *row, const struct usage_query *q, struct str *out)
{
	bool narrowed = q->op || q->device || q->dtype || (q->scope && q->group != USAGE_BY_SCOPE);

	if (narrowed || q->group == USAGE_BY_DEVICE || q->group == USAGE_BY_RUN ||
	    (q->group != USAGE_BY_SCOPE && !strcmp(row->name, USAGE_NOT_KNOWN)))
		return false;
	str_puts(out, "(?!");
	pattern_put_literal(out, row->name);
	str_puts(out, q->group == USAGE_BY_DTYPE ? "(_ref)?\\Z)"
	              : row->is_node || q->group == USAGE_BY_OP ? "\\Z)" : "(/|\\Z))");
	return true;
}

const char *usage_filter_for(enum usage_group group, bool of_program)
{
	static const char *const names[N_USAGE_GROUPS] = {
		[USAGE_BY_SCOPE] = "node_name_regex_allowlist",
		[USAGE_BY_OP] = "op_type_regex_allowlist",
		[USAGE_BY_DTYPE] = "tensor_dtype_regex_allowlist",
	};

	if (of_program)
		return group == USAGE_BY_OP ? "op_regex" : NULL;
	return names[group];
}
