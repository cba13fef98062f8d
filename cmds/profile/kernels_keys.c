/* Every key makes a command line from the present one: whatever is shown can also be typed. */
#include "cmds/lang/pattern.h"
#include "cmds/profile/kernels.h"

#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/lang/words.h"
#include "dump/model/device.h"

extern const struct cmd cmd_kernels;

static struct opt_value *opt_of(struct args *args, const char *name)
{
	size_t i = 0;

	while (strcmp(cmd_kernels.opts[i].name, name))
		i++;
	return &args->opt[i];
}

/* word NULL: removes the option. */
static void set(struct args *args, const char *name, const char *word)
{
	*opt_of(args, name) = (struct opt_value){ .given = word != NULL, .word = word };
}

/* A name as a regular expression that only it matches. */
static void put_exactly(struct str *out, const char *name, const char *end)
{
	str_putc(out, '^');
	pattern_put_literal(out, name);
	str_puts(out, end);
}

static bool can_be_said(const char *name)
{
	return *name && name[0] != '-';
}

/* What is about the whole list, and not about what is behind a row of it. */
static struct args without_list(const struct kernels *k)
{
	static const char *const list[] = { "sort_by", "reverse", "total", "depth", "limit",
	                                    "skip", "columns", "diff", "of", "column" };
	struct args args = k->args;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		set(&args, list[i], NULL);
	return args;
}

static void put_records(const struct kernels *k, const char *name, struct str *out)
{
	struct args args = without_list(k);

	if (!can_be_said(name))
		return;
	set(&args, "group", kernel_group_names[k->table->group]);
	set(&args, "of", name);
	again_put(&cmd_kernels, &args, out);
}

void kernels_put_drill(const struct kernels *k, const struct kernel_row *row, struct str *out)
{
	static const struct { const char *filter, *end, *group; } ways[N_GROUPS] = {
		[GROUP_TYPE] = { "op_type_filter", "$", "op" },
		[GROUP_SCOPE] = { "node_name_filter", "/", "op" },
		[GROUP_OP] = { "node_name_filter", "$", "kernel" },
	};
	enum kernel_group group = k->table->group;
	struct args args = without_list(k);
	struct str word = {0};

	if (k->table->only_totals)
		return;
	if (!ways[group].filter || row->name[0] == '(' ||
	    (group == GROUP_OP && k->table->universe == UNIVERSE_HOST)) {
		put_records(k, row->name, out);
		return;
	}
	if (!can_be_said(row->name))
		return;
	put_exactly(&word, row->name, ways[group].end);
	set(&args, ways[group].filter, word.text);
	set(&args, "group", ways[group].group);
	again_put(&cmd_kernels, &args, out);
	str_release(&word);
}

void kernels_put_filters(const struct kernels *k, struct str *out)
{
	static const char *const filters[] = { "worker", "device_name_filter",
	                                       "node_name_filter", "op_type_filter",
	                                       "kernel_name_filter", "stream", "source",
	                                       "total" };
	struct args args = k->args;
	bool any = false;

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		size_t at = (size_t)(opt_of(&args, filters[i]) - args.opt);

		if (args.opt[at].given && !any)
			str_putc(out, ',');
		any |= args.opt[at].given;
		again_put_options(&cmd_kernels, &args, at, at, out);
	}
}

/* Keys. */

static bool any_of(const struct kernels *k, enum universe universe)
{
	size_t n = 0;

	for (size_t i = 0; i < k->acts.n; i++)
		for (enum activity_kind kind = ACTIVITY_HOST; kind <= ACTIVITY_COPY; kind++)
			n += universe_has(universe, kind) ? k->acts.refs[i]->n_of[kind] : 0;
	return n > 0;
}

static bool needs_kernels(enum kernel_group group)
{
	return group == GROUP_KERNEL || group == GROUP_SHAPE;
}

static void next_group(const struct kernels *k, struct args *args)
{
	enum kernel_group group = k->table->group;

	do {
		group = (group + 1) % N_GROUPS;
	} while ((needs_kernels(group) && k->table->universe == UNIVERSE_HOST) ||
	         (group == GROUP_STEP && k->acts.n < 2));
	set(args, "group", kernel_group_names[group]);
}

static void next_universe(const struct kernels *k, struct args *args)
{
	enum universe universe = k->table->universe;

	do {
		universe = (universe + 1) % N_UNIVERSES;
	} while (!any_of(k, universe) && universe != k->table->universe);
	set(args, "count", universe_names[universe]);
	if (universe == UNIVERSE_HOST && needs_kernels(k->table->group))
		set(args, "group", NULL);        /* the default for host times, then for kernels */
}

/* Does a device have activities of the universe? */
static bool device_counts(const struct kernels *k, const char *device)
{
	for (size_t s = 0; s < k->acts.n; s++) {
		const struct activities *acts = k->acts.refs[s];
		uint32_t id = map_find(&acts->devices, device, strlen(device));

		for (size_t i = 0; id != MAP_NONE && i < acts->at.len; i++)
			if (acts->at.at[i].device == id &&
			    universe_has(k->table->universe, acts->at.at[i].kind))
				return true;
	}
	return false;
}

/*
 * A pattern for the i-th device of the steps, its short name if that is unique; "" if the device
 * has no activities of the universe. False: there are not so many devices.
 */
static bool put_device_pattern(const struct kernels *k, size_t i, struct str *out)
{
	const struct map *devices = &k->acts.refs[0]->devices;
	struct str name = {0};

	if (i >= devices->len)
		return false;
	str_reset(out);
	if (!device_counts(k, devices->key[i]))
		return true;
	kernels_put_device(&name, k, devices->key[i], devices->key, devices->len);
	put_exactly(out, name.text, "$");
	if (strcmp(name.text, devices->key[i]) != 0)
		memmove(out->text, out->text + 1, out->len--);   /* it is the end of a name */
	str_release(&name);
	return true;
}

static void next_device(const struct kernels *k, struct args *args, struct str *word)
{
	const char *now = opt_of(args, "device_name_filter")->word;
	bool found = !now, more;
	size_t i = 0;

	while (!found && put_device_pattern(k, i, word)) {
		found = !strcmp(str_text(word), now);
		i++;
	}
	do {
		more = found && put_device_pattern(k, i++, word);
	} while (more && !word->len);
	set(args, "device_name_filter", more ? word->text : NULL);
}

static void put_node(const char *node, struct str *out)
{
	if (!can_be_said(node) || node[0] == '(')
		return;
	words_put_with(out, "ni -a -d -t", node);
}

/* "file.py:12(function)" as the place of the file's text. */
static void put_source(const struct kernels *k, const char *source, struct str *out)
{
	const char *paren = strrchr(source, '('), *colon = paren;
	struct str file = {0};

	while (colon && colon > source && *colon != ':')
		colon--;
	if (!colon || *colon != ':')
		return;
	str_put(&file, source, (size_t)(colon - source));
	if (can_be_said(str_text(&file))) {
		words_put_with(out, "ps", str_text(&file));
		str_fmt(out, " %s %.*s", k->has_ps_of_profile ? "--init_line" : "-b",
		        (int)(paren - colon - 1), colon + 1);
	}
	str_release(&file);
}

static bool put_about_row(struct kernels *k, const struct doc_at *at, struct str *out)
{
	const struct kernel_row *row;
	struct kernel_row_more more;

	if (at->row >= k->shown->n_rows)
		return false;
	row = &k->table->rows.at[table_source_row(k->shown, at->row)];
	if (at->key == 'e') {
		put_records(k, row->name, out);
		return out->len > 0;
	}
	kernel_row_more(k->table, row, &more);
	if (at->key == 'o')
		put_node(more.top_node, out);
	else
		put_source(k, more.source, out);
	kernel_row_more_release(&more);
	return out->len > 0;
}

static const struct doc_key own_keys[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "drill" },
	{ 'o', .hint_keys = "o", .hint = "op", .way = KEY_OPENS },
	{ 'e', .hint_keys = "e", .hint = "rows", .way = KEY_OPENS },
	{ 'O', .way = KEY_OPENS },
	{ 'B', "group by the next of kernel, shape, op, type, scope ...", "B", "group",
	  .way = KEY_REWRITES },
	{ 'U', "count kernels, copies, both, host times", "U", "copies, host",
	  .way = KEY_REWRITES },
	{ 'D', "only the next device; all", .way = KEY_REWRITES },
	{ 'u', .way = KEY_REWRITES },
	{ '#', .way = KEY_REWRITES },
};
const struct doc_keys kernels_keys = { "In tables of kernels", DOC_KEYS(own_keys) };

static bool put_key(void *context, const struct doc_at *at, struct str *out)
{
	static const char *const units[] = { "us", "ms", "s" }, *const names[] = { "full", "raw" };
	struct kernels *k = context;
	struct args args = k->args;
	struct str word = {0};

	switch (at->key) {
	case 'B': next_group(k, &args); break;
	case 'U': next_universe(k, &args); break;
	case 'D': next_device(k, &args, &word); break;
	case 'u': again_next_word(opt_of(&args, "time_unit"), units, 3); break;
	case '#': again_next_word(opt_of(&args, "names"), names, 2); break;
	default: return put_about_row(k, at, out);
	}
	again_put(&cmd_kernels, &args, out);
	str_release(&word);
	return true;
}

void kernels_bring_keys(struct call *call, struct kernels *k)
{
	doc_bring_keys(call->out, &kernels_keys, put_key, k);
}
