/*
 * A walk over a short list for each key. What a line says is read the same way wherever it stands.
 */
#include "tui/bindings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmds/table.h"
#include "dump/base/mem.h"
#include "tui/sheet.h"

#define LINE_BEGINS "bind"

/* Contexts. */

/* "In the view" and "view" are the same. */
static const char *bare(const char *context)
{
	static const char *const begins[] = { "In the ", "At the ", "In " };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncasecmp(context, begins[i], strlen(begins[i])))
			return context + strlen(begins[i]);
	return context;
}

static bool same_context(const char *a, const char *b)
{
	return !strcasecmp(bare(a), bare(b));
}

/* The context of our table; N_CONTEXTS: it is none of those. */
static enum context table_context(const char *name)
{
	enum context c = 0;

	while (c < N_CONTEXTS && !same_context(name, context_names[c]))
		c++;
	return c;
}

/* As the sheet has it; NULL: there is no such context. */
static const char *known_context(const char *name)
{
	enum context c = table_context(name);

	if (c < N_CONTEXTS)
		return context_names[c];
	for (size_t i = 0; i < n_doc_keys; i++)
		if (doc_keys_table[i]->heading && same_context(name, doc_keys_table[i]->heading))
			return doc_keys_table[i]->heading;
	return NULL;
}

static bool has_heading(const struct doc *doc, const char *heading)
{
	const struct doc_keys *keys;

	for (size_t i = 0; doc && (keys = doc_keys(doc, i)); i++)
		if (keys->heading && !strcmp(keys->heading, heading))
			return true;
	return false;
}

static bool counts(const struct binding *binding, struct key_scope scope, const struct doc *doc)
{
	enum context c = table_context(binding->context);

	if (c < N_CONTEXTS)
		return key_counts(&(struct key_row){ .context = c }, scope);
	return scope.context != CONTEXT_PROMPT && has_heading(doc, binding->context);
}

/* Reading a line. */

static bool no_context(const char *name, struct err *err)
{
	struct str names = {0};

	for (enum context c = 0; c < N_CONTEXTS; c++)
		str_fmt(&names, "%s%s", c ? ", " : "", bare(context_names[c]));
	for (size_t i = 0; i < n_doc_keys; i++)
		if (doc_keys_table[i]->heading)
			str_fmt(&names, ", %s", bare(doc_keys_table[i]->heading));
	err_fill(err, ERR_VALUE, "command", 0, "%s%.40s; a context expected: %s",
	         name ? "no context: " : "nothing is there", name ? name : "", names.text);
	str_release(&names);
	return false;
}

/* Digits are counts; these two lead out of everything. At the prompt characters are text. */
static bool may_be_bound(int key, const char *context, struct err *err)
{
	enum context c = table_context(context);
	bool types = key >= ' ' && key < K_UP && !K_FIRST(key);
	struct str label = {0};
	const char *why = NULL;

	if (key == K_ESC || key == K_CTRL('C'))
		why = "leads out of everything";
	else if ((key >= '0' && key <= '9') || (K_FIRST(key) >= '0' && K_FIRST(key) <= '9'))
		why = "is part of a number";
	else if ((types || K_FIRST(key) || key == K_ENTER || key == K_BACKSPACE) &&
	         (c == CONTEXT_ANY || c == CONTEXT_PROMPT))
		why = "edits the line at the prompt; say view";
	if (why) {
		key_label(&label, key);
		err_fill(err, ERR_VALUE, "command", 0, "%s %s", label.text, why);
		str_release(&label);
	}
	return !why;
}

/*
 * A key of ours that begins this one, or that this one begins. In tfdbg's style some that begin
 * others in ours are keys of their own; a pair doesn't count there (bindings_begin_pair).
 */
static int clashing_of_ours(int key, const char *context)
{
	enum context c = table_context(context);

	for (size_t i = 0; i < n_keys; i++) {
		const struct key_row *row = &key_table[i];
		bool meets = c < N_CONTEXTS ? key_contexts_meet(c, row->context)
		                            : row->context == CONTEXT_VIEW;

		if (meets && row->style != STYLE_TFDBG && row->key != key &&
		    keys_clash(row->key, key))
			return row->key;
	}
	return 0;
}

/* The same among those that documents of this heading bring. */
static int clashing_brought(int key, const char *heading)
{
	for (size_t i = 0; i < n_doc_keys; i++) {
		const struct doc_keys *keys = doc_keys_table[i];

		for (size_t k = 0; k < keys->n; k++)
			if (keys->heading && !strcmp(keys->heading, heading) && keys->at[k].key &&
			    keys->at[k].key != key && keys_clash(keys->at[k].key, key))
				return keys->at[k].key;
	}
	return 0;
}

static bool clashes(int key, const char *context, struct err *err)
{
	int ours = clashing_of_ours(key, context);
	struct str label = {0}, other = {0};

	if (!ours)
		ours = clashing_brought(key, context);
	if (ours) {
		key_label(&label, key);
		key_label(&other, ours);
		err_fill(err, ERR_VALUE, "command", 0, "%s can't be bound there: %s is a key",
		         label.text, other.text);
	}
	str_release(&label);
	str_release(&other);
	return ours;
}

/* CONTEXT KEY; *text goes behind them. */
static bool read_place(const char **text, const char **context, int *key, struct err *err)
{
	char *name = config_take_word(text), *label = config_take_word(text);
	bool ok = false;

	*context = name ? known_context(name) : NULL;
	*key = label ? key_read(label, strlen(label)) : 0;
	if (!*context)
		no_context(name, err);
	else if (!*key)
		err_fill(err, ERR_VALUE, "command", 0,
		         "%s%.40s; a key as F1 writes it expected: x, ]x, F9, Ctrl-X",
		         label ? "no key: " : "nothing is there", label ? label : "");
	else
		ok = true;
	free(name);
	free(label);
	return ok;
}

/* The whole line; command points into it. */
static bool read_line(const char *text, struct binding *out, struct err *err)
{
	const char *context;
	struct err why = {0};

	if (!read_place(&text, &context, &out->key, &why) ||
	    !may_be_bound(out->key, context, &why) || clashes(out->key, context, &why)) {
		if (err)
			*err = why;
		return false;
	}
	if (!*text)
		return err_at(err, ERR_VALUE, "command", 0,
		              "a command line expected after the key");
	out->context = mem_copy(context, strlen(context));
	out->command = mem_copy(text, strlen(text));
	return true;
}

/* The list. */

static void release_one(struct binding *binding)
{
	free(binding->context);
	free(binding->command);
}

static struct binding *find_same(const struct bindings *bindings, const char *context, int key)
{
	for (size_t i = 0; i < bindings->list.len; i++)
		if (bindings->list.at[i].key == key &&
		    !strcmp(bindings->list.at[i].context, context))
			return &bindings->list.at[i];
	return NULL;
}

static void put_in(struct bindings *bindings, struct binding binding)
{
	struct binding *old = find_same(bindings, binding.context, binding.key);

	if (old) {
		release_one(old);
		*old = binding;
	} else {
		vec_push(&bindings->list, binding);
	}
}

/* May both count in one place? What a document brings counts in views. */
static bool may_meet(const char *a, const char *b)
{
	enum context first = table_context(a), second = table_context(b);

	return key_contexts_meet(first < N_CONTEXTS ? first : CONTEXT_VIEW,
	                         second < N_CONTEXTS ? second : CONTEXT_VIEW);
}

/* A bound key begins another one, or is begun by it. */
static bool clashes_with_bound(const struct bindings *bindings, const struct binding *binding,
                               struct err *err)
{
	struct str label = {0};
	bool clash = false;

	for (size_t i = 0; !clash && i < bindings->list.len; i++) {
		const struct binding *other = &bindings->list.at[i];

		clash = other->key != binding->key && keys_clash(other->key, binding->key) &&
		        may_meet(other->context, binding->context);
		if (clash)
			key_label(&label, other->key);
	}
	if (clash)
		err_fill(err, ERR_VALUE, "command", 0, "it can't be bound there: %s is bound",
		         label.text);
	str_release(&label);
	return clash;
}

static bool take(struct bindings *bindings, const char *text, struct err *err)
{
	struct binding binding;

	if (!read_line(text, &binding, err))
		return false;
	if (clashes_with_bound(bindings, &binding, err)) {
		release_one(&binding);
		return false;
	}
	put_in(bindings, binding);
	return true;
}

struct reading {
	struct bindings *bindings;
	struct config_complaint *complaint;      /* NULL: in silence */
};

static void take_line(void *context, size_t number, const char *rest)
{
	struct reading *reading = context;
	struct err err = {0};

	if (!take(reading->bindings, rest, &err) && reading->complaint)
		config_complain(reading->complaint, number, "bind: %s", err.msg);
}

void bindings_read(struct bindings *bindings)
{
	config_each_line(LINE_BEGINS, take_line, &(struct reading){ bindings, NULL });
}

void bindings_check(struct config_complaint *complaint)
{
	struct bindings scratch = {0};

	config_each_line(LINE_BEGINS, take_line, &(struct reading){ &scratch, complaint });
	bindings_release(&scratch);
}

void bindings_release(struct bindings *bindings)
{
	for (size_t i = 0; i < bindings->list.len; i++)
		release_one(&bindings->list.at[i]);
	vec_release(&bindings->list);
}

/* Saving. */

static void put_word(struct str *out, const char *word)
{
	str_fmt(out, strchr(word, ' ') ? " \"%s\"" : " %s", word);
}

struct place {
	const char *context;     /* as the sheet has it */
	int key;
};

/* However it is written. */
static bool is_of_place(const void *context, const char *rest)
{
	const struct place *place = context;
	struct err err = {0};
	const char *at;
	int key;

	return read_place(&rest, &at, &key, &err) && key == place->key &&
	       !strcmp(at, place->context);
}

/* In the file the context stands without its "In the". command NULL: the line goes. */
static bool save(const char *context, int key, const char *command, struct err *err)
{
	struct place place = { context, key };
	struct str label = {0}, line = {0};
	bool ok;

	key_label(&label, key);
	str_puts(&line, LINE_BEGINS);
	put_word(&line, bare(context));
	put_word(&line, label.text);
	if (command)
		str_fmt(&line, " %s", command);
	ok = config_replace(LINE_BEGINS, is_of_place, &place, command ? line.text : NULL, err);
	str_release(&label);
	str_release(&line);
	return ok;
}

bool bindings_set(struct bindings *bindings, const char *text, struct err *err)
{
	const struct binding *set;
	const char *context, *rest = text;
	int key;

	if (!take(bindings, text, err) || !read_place(&rest, &context, &key, err))
		return false;
	set = find_same(bindings, context, key);
	return save(set->context, set->key, set->command, err);
}

bool bindings_remove(struct bindings *bindings, const char *text, struct err *err)
{
	const char *context;
	struct binding *old;
	int key;

	if (!read_place(&text, &context, &key, err))
		return false;
	old = find_same(bindings, context, key);
	if (!old)
		return err_at(err, ERR_VALUE, "command", 0, "It is not bound there");
	release_one(old);
	*old = *vec_last(&bindings->list);
	bindings->list.len--;
	return save(context, key, NULL, err);
}

/* Keys. */

/* Of several places the narrowest counts: those of documents, of kinds of views, of all views. */
const struct binding *bindings_find(const struct bindings *bindings, struct key_scope scope,
                                    const struct doc *doc, int key)
{
	const struct binding *found = NULL;

	for (size_t i = 0; i < bindings->list.len; i++) {
		const struct binding *b = &bindings->list.at[i];

		if (b->key == key && counts(b, scope, doc) &&
		    (!found || table_context(b->context) > table_context(found->context)))
			found = b;
	}
	return found;
}

/* A key of ours that does something at once goes before. */
bool bindings_begin_pair(const struct bindings *bindings, struct key_scope scope,
                         const struct doc *doc, int key)
{
	if (key_action(scope, key) != ACTION_NONE || (doc && doc_find_key(doc, key)))
		return false;
	for (size_t i = 0; i < bindings->list.len; i++)
		if (key && K_FIRST(bindings->list.at[i].key) == key &&
		    counts(&bindings->list.at[i], scope, doc))
			return true;
	return false;
}

/* Telling. */

void bindings_put_sheet(const struct bindings *bindings, struct key_scope scope,
                        const struct doc *view, struct sheet *sheet)
{
	for (size_t i = bindings->list.len; i-- > 0;)
		if (counts(&bindings->list.at[i], scope, view))
			sheet_bind(sheet, bindings->list.at[i].key, bindings->list.at[i].command);
}

void bindings_put_help(const struct bindings *bindings, const struct doc *view, struct doc *out)
{
	struct key_scope scope = { STYLE_BOTH, context_of(view) };
	struct str label = {0};
	bool any = false;

	for (size_t i = 0; i < bindings->list.len; i++) {
		const struct binding *b = &bindings->list.at[i];

		if (!counts(b, scope, view))
			continue;
		if (!any)
			doc_line_put(out, ROLE_STRONG, "Bound");
		any = true;
		str_reset(&label);
		key_label(&label, b->key);
		key_put_help(out, label.text, b->command);
	}
	if (any)
		doc_newline(out);
	str_release(&label);
}

struct doc *bindings_list(const struct bindings *bindings)
{
	struct doc *doc = doc_new();
	struct str label = {0};

	doc_line_put(doc, ROLE_STRONG, "%zu bound key(s):", bindings->list.len);
	for (size_t i = 0; i < bindings->list.len; i++) {
		const struct binding *b = &bindings->list.at[i];

		str_reset(&label);
		key_label(&label, b->key);
		doc_line_put(doc, ROLE_PLAIN, "  %-20s %-10s %s", bare(b->context), label.text,
		             b->command);
	}
	str_release(&label);
	return doc;
}
