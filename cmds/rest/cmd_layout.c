/* Lists the layouts. On a screen, which has panes to arrange, tui/ answers this command. */
#include <string.h>

#include "cmds/doc/layout_texts.h"
#include "cmds/session/config.h"
#include "cmds/session/session.h"

static const struct pos positionals[] = {
	{ "name",
	  "single, detail (a pane below that follows the row), side (that pane beside the "
	  "list), runs (runs above), timeline (kernels above, lanes below), or one of yours; "
	  "save: keeps the present layout under the name that follows; left out: names the "
	  "present layout and all others",
	  true },
	{ "as", "after save: the name", true },
};

struct entry {
	struct layout_text layout;       /* beside_text NULL: text is for all widths */
	bool saved;
};
struct entries {
	VEC(struct entry) list;
	struct arena *mem;
};

static struct entry *find_entry(struct entries *entries, const char *name, size_t len)
{
	for (size_t i = 0; i < entries->list.len; i++) {
		const char *has = entries->list.at[i].layout.name;

		if (!strncmp(has, name, len) && !has[len])
			return &entries->list.at[i];
	}
	return NULL;
}

/* If lines have the same name the last one counts; built-in layouts can't be replaced. */
static void take_line(void *context, size_t number, const char *rest)
{
	struct entries *entries = context;
	size_t len;
	const char *text = layout_line_text(rest, &len);
	struct entry *entry = find_entry(entries, rest, len);

	(void)number;
	if (entry && !entry->saved)
		return;
	if (!entry) {
		entry = vec_add(&entries->list);
		*entry = (struct entry){ .layout.name = arena_copy(entries->mem, rest, len),
		                         .saved = true };
	}
	entry->layout.text = arena_copy(entries->mem, text, strlen(text));
}

static void release_entries(void *entries)
{
	vec_release(&((struct entries *)entries)->list);
}

static bool entries_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	const struct entries *entries = context;

	(void)progress, (void)err;
	data_rows(data, "name,panes,panes_beside,saved");
	for (size_t i = 0; i < entries->list.len; i++) {
		const struct entry *e = &entries->list.at[i];

		data_object(data);
		data_key(data, "name");
		data_str(data, e->layout.name);
		data_key(data, "panes");
		data_str(data, e->layout.text);
		data_key(data, "panes_beside");
		data_str(data, e->layout.beside_text ? e->layout.beside_text : e->layout.text);
		data_key(data, "saved");
		data_bool(data, e->saved);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void put_entries(struct call *call, const struct entries *entries)
{
	int width = 0;

	for (size_t i = 0; i < entries->list.len; i++) {
		int len = (int)strlen(entries->list.at[i].layout.name);

		width = len > width ? len : width;
	}
	doc_line_put(call->out, ROLE_PLAIN,
	             "%zu layouts of the screen; / is one above the other, | beside each other:",
	             entries->list.len);
	doc_newline(call->out);
	for (size_t i = 0; i < entries->list.len; i++) {
		const struct entry *e = &entries->list.at[i];

		doc_put(call->out, ROLE_PLAIN, "%-*s  %s", width, e->layout.name, e->layout.text);
		if (e->layout.beside_text && strcmp(e->layout.beside_text, e->layout.text))
			doc_put(call->out, ROLE_PLAIN, "  (where it is wide: %s)",
			        e->layout.beside_text);
		doc_line_put(call->out, ROLE_PLAIN, e->saved ? "  (saved)" : "");
	}
}

static void layout_exec(struct call *call)
{
	struct entries *entries;

	if (call->n_words) {
		call_error(call,
		           "ERROR: \"%s\" is about panes; only a screen has them",
		           call->cmd->name);
		return;
	}
	entries = arena_alloc(doc_mem(call->out), sizeof *entries);
	*entries = (struct entries){ .mem = doc_mem(call->out) };
	doc_keep(call->out, release_entries, entries);
	for (int i = 0; i < N_LAYOUT_TEXTS; i++)
		vec_push(&entries->list, ((struct entry){ .layout = layout_texts[i] }));
	config_each_line(LAYOUT_LINE, take_line, entries);
	put_entries(call, entries);
	doc_typed(call->out, DATA_ROWS, entries_put_data, entries);
}

const struct cmd cmd_layout = {
	.name = "layout", .summary = "Arrange the panes, or list the arrangements",
	POSITIONALS(positionals), .runless = true, .dumpless = true, .exec = layout_exec,
};
