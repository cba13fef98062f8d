#include <string.h>

#include "cmds/session/session.h"

static const struct pos positionals[] = {
	{ "add|show|remove",
	  "add NAME EXPRESSION defines a filter for lt -f; remove NAME; both are kept for later, "
	  "but not with --session, and from -c, -x and standard input only with --save; "
	  "show NAME; all of them are listed if left out",
	  true },
	{ "expression",
	  "in quotes: tests of bytes, time, slot, op, node, device, dtype, shape, rank, count, "
	  "nan, inf, zeros, min, max, mean and std, joined by !, &&, || and brackets: "
	  "'nan || max > 1e3', 'op ~ \"^Mat\" && bytes > 4k'",
	  true },
};

/* A copy of a filter for the answer, which may be written when the filter is gone. */
struct entry {
	const char *name, *text;         /* text NULL: built in */
	bool saved;
};
struct entries {
	size_t n;
	struct entry at[];
};

static struct entries *entries_new(struct call *call, size_t n)
{
	return arena_alloc(doc_mem(call->out), sizeof(struct entries) + n * sizeof(struct entry));
}

static void add_entry(struct call *call, struct entries *entries,
                      const struct named_filter *filter)
{
	struct arena *mem = doc_mem(call->out);

	entries->at[entries->n++] = (struct entry){
		.name = arena_copy(mem, filter->name, strlen(filter->name)),
		.text = filter->text ? arena_copy(mem, filter->text, strlen(filter->text)) : NULL,
		.saved = filter->saved,
	};
}

/* Rows: name, expression, saved. */
static bool entries_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct entries *entries = context;

	(void)progress, (void)err;
	data_rows(data, "name,expression,saved");
	for (size_t i = 0; i < entries->n; i++) {
		data_object(data);
		data_key(data, "name");
		data_str(data, entries->at[i].name);
		data_key(data, "expression");
		data_str(data, entries->at[i].text);
		data_key(data, "saved");
		data_bool(data, entries->at[i].saved);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void put_list(struct call *call)
{
	const struct filters *filters = &call->shell->filters;
	size_t max = filters->list.len + N_PROGRAM_FILTERS, n;
	const struct named_filter **shown = arena_alloc(call->mem, max * sizeof *shown);
	struct entries *entries = entries_new(call, max);
	int width = 0;

	n = filters_all_shown(filters, call->shell->programs, shown);
	for (size_t i = 0; i < n; i++) {
		int len = (int)strlen(shown[i]->name);

		width = len > width ? len : width;
		add_entry(call, entries, shown[i]);
	}
	doc_line_put(call->out, ROLE_PLAIN, "%zu tensor filter(s):", entries->n);
	doc_newline(call->out);
	for (size_t i = 0; i < entries->n; i++) {
		const struct entry *e = &entries->at[i];

		doc_link(call->out, ROLE_PLAIN, e->name, "list_tensors -f %s", e->name);
		doc_put(call->out, ROLE_PLAIN, "%*s  %s", width - (int)strlen(e->name), "",
		        e->text ? e->text : "(built in)");
		doc_line_put(call->out, ROLE_PLAIN,
		             e->text && !e->saved ? "  (this session)" : "");
	}
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

/* Whether changes are saved in the config file, and what to say if nobody asked for either. */
struct keeping {
	bool saved;
	const char *note;
};

static void put_one(struct call *call, const struct named_filter *filter, const char *note)
{
	struct entries *entries = entries_new(call, 1);

	add_entry(call, entries, filter);
	doc_line_put(call->out, ROLE_PLAIN, "Filter \"%s\": %s%s", filter->name,
	             filter->text ? filter->text : "(built in)", note);
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

/*
 * An error becomes the answer; if the change just could not be saved, a toast. False: an error.
 */
static bool is_done(struct call *call, bool ok)
{
	struct err *err = &call->err;
	enum err_code code = err->code;

	err->code = ERR_NONE;
	if (ok)
		return true;
	if (code == ERR_IO) {
		str_puts(call->toast, err->msg);
		call->status = 1;
	} else if (code == ERR_VALUE) {
		call_error(call, "ERROR: %s", err->msg);
	} else {
		call_error(call, "ERROR: Filter expression, %s", err->msg);
	}
	return code == ERR_IO;
}

static const struct named_filter *find(const struct call *call, const char *name)
{
	return filters_shown(&call->shell->filters, call->shell->programs, name);
}

/* If so it can't be changed, and the answer says that. */
static bool is_built_in(struct call *call, const char *name)
{
	const struct named_filter *filter = find(call, name);

	if (!filter || filter->text)
		return false;
	call_error(call, "ERROR: The filter \"%s\" is built in.", name);
	return true;
}

static void add(struct call *call, const struct keeping *keeping)
{
	struct filters *filters = &call->shell->filters;
	const char *name = call->words[1];

	if (is_built_in(call, name))
		return;
	if (is_done(call, filters_add(filters, name, call->words[2], keeping->saved, &call->err)))
		put_one(call, filters_find(filters, name), keeping->note);
}

static void remove_one(struct call *call, const struct keeping *keeping)
{
	struct filters *filters = &call->shell->filters;
	const char *name = call->words[1];
	const struct named_filter *old = filters_find(filters, name);
	struct entries *entries = entries_new(call, 1);

	bool was_saved = old && old->saved;

	if (is_built_in(call, name))
		return;
	if (old)
		add_entry(call, entries, old);
	if (!is_done(call, filters_remove(filters, name, keeping->saved, &call->err)))
		return;
	doc_line_put(call->out, ROLE_PLAIN, "Removed filter \"%s\".%s", name,
	             was_saved ? keeping->note : "");
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

static void show_one(struct call *call)
{
	const struct named_filter *filter = find(call, call->words[1]);

	if (filter)
		put_one(call, filter, "");
	else
		call_error(call, "ERROR: There is no tensor filter named \"%s\".", call->words[1]);
}

static bool take_option(struct call *call, const char *option)
{
	for (size_t i = 0; i < call->n_words; i++)
		if (!strcmp(call->words[i], option)) {
			memmove(&call->words[i], &call->words[i + 1],
			        (call->n_words - i - 1) * sizeof *call->words);
			call->n_words--;
			return true;
		}
	return false;
}

static void filter_exec(struct call *call)
{
	bool session = take_option(call, "--session"), save = take_option(call, "--save"),
	     told = session || save;
	bool is_batch = call->shell->answers_go;
	struct keeping keeping = { save || (!session && !is_batch),
		                   is_batch && !told ? "  (this session; --save keeps it)" : "" };
	const char *what = call->n_words ? call->words[0] : "";

	if (!call->n_words && !told)
		put_list(call);
	else if (!strcmp(what, "add") && call->n_words == 3 && !(session && save))
		add(call, &keeping);
	else if (!strcmp(what, "show") && call->n_words == 2 && !told)
		show_one(call);
	else if (!strcmp(what, "remove") && call->n_words == 2 && !(session && save))
		remove_one(call, &keeping);
	else
		call_syntax_error(call);
}

const struct cmd cmd_filter = {
	.name = "filter", .summary = "Tensor filters by name, for lt -f: list, add, show, remove",
	POSITIONALS(positionals), .raw = true,
	.runless = true, .dumpless = true, .exec = filter_exec,
};
