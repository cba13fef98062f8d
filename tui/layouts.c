/* The config is read again whenever it is asked for: that is once for a command about layouts. */
#include "tui/layouts.h"

#include <string.h>

#include "cmds/doc/layout_texts.h"
#include "tui/plan.h"

/* Looks for a name among "NAME TEXT" lines; the last one counts. */
struct lookup {
	const char *name;
	struct str *text;
	bool found;
};

static void look_at(void *context, size_t number, const char *rest)
{
	struct lookup *lookup = context;
	size_t len;
	const char *text = layout_line_text(rest, &len);

	(void)number;
	if (strncmp(lookup->name, rest, len) || lookup->name[len])
		return;
	str_reset(lookup->text);
	str_puts(lookup->text, text);
	lookup->found = true;
}

bool layouts_find(const char *name, bool beside, struct str *text)
{
	struct lookup lookup = { .name = name, .text = text };

	for (int i = 0; i < N_LAYOUT_TEXTS; i++)
		if (!strcmp(layout_texts[i].name, name)) {
			str_puts(text, beside ? layout_texts[i].beside_text : layout_texts[i].text);
			return true;
		}
	config_each_line(LAYOUT_LINE, look_at, &lookup);
	return lookup.found;
}

/* Names. */

struct naming {
	const char *text;        /* as plan_put writes it; NULL: all names */
	struct str *out;
};

static bool says(const char *layout, const char *text)
{
	struct arena mem = {0};
	struct plan plan;
	struct str again = {0};
	bool same = false;

	if (plan_parse(layout, &mem, &plan, NULL)) {
		plan_put(&plan.arrangement, plan.pane, &again);
		same = !strcmp(str_text(&again), text);
	}
	str_release(&again);
	arena_release(&mem);
	return same;
}

static void put_name(struct naming *naming, const char *name, size_t len, const char *text)
{
	struct str *out = naming->out;

	if (naming->text ? out->len || !says(text, naming->text) : false)
		return;
	str_puts(out, out->len ? ", " : "");
	str_put(out, name, len);
}

static void put_saved_name(void *context, size_t number, const char *rest)
{
	size_t len;
	const char *text = layout_line_text(rest, &len);

	(void)number;
	put_name(context, rest, len, text);
}

static void put_all(struct naming *naming, bool beside)
{
	for (int i = 0; i < N_LAYOUT_TEXTS; i++)
		put_name(naming, layout_texts[i].name, strlen(layout_texts[i].name),
		         beside ? layout_texts[i].beside_text : layout_texts[i].text);
	config_each_line(LAYOUT_LINE, put_saved_name, naming);
}

void layouts_put_name(const char *text, bool beside, struct str *out)
{
	struct naming naming = { text, out };

	put_all(&naming, beside);
}

void layouts_put_names(struct str *out)
{
	struct naming naming = { NULL, out };

	put_all(&naming, false);
}

/* The config. */

bool layouts_save(const char *name, const char *text, struct err *err)
{
	struct str begins = {0}, line = {0};
	bool ok;

	if (layout_is_built_in(name) || !strcmp(name, "save"))
		return err_at(err, ERR_VALUE, "command", 0, "The layout \"%s\" is built in", name);
	if (!plan_is_name(name) || strlen(name) >= LAYOUT_NAME_MAX)
		return err_at(err, ERR_VALUE, "command", 0,
		              "\"%.100s\" can't be a layout's name: at most %d letters, digits, "
		              "_ . and -", name, LAYOUT_NAME_MAX - 1);
	str_fmt(&begins, LAYOUT_LINE " %s", name);
	str_fmt(&line, "%s %s", begins.text, text);
	ok = config_put_line(begins.text, line.text, err);
	str_release(&begins);
	str_release(&line);
	return ok;
}

static void check_line(void *complaint, size_t number, const char *rest)
{
	size_t len;
	const char *text = layout_line_text(rest, &len);
	struct arena mem = {0};
	struct plan plan;
	struct err err = {0};
	struct str name = {0};

	str_put(&name, rest, len);
	if (layout_is_built_in(name.text) || !plan_is_name(name.text))
		config_complain(complaint, number, "no name for a layout of your own: %s",
		                name.text);
	else if (!plan_parse(text, &mem, &plan, &err))
		config_complain(complaint, number, "layout %s: %s", name.text, err.msg);
	str_release(&name);
	arena_release(&mem);
}

void layouts_check(struct config_complaint *complaint)
{
	config_each_line(LAYOUT_LINE, check_line, complaint);
}
