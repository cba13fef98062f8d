#include "cmds/session/filters.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/session/facts.h"
#include "dump/base/mem.h"
#include "dump/model/stats.h"

#define LINE_BEGINS "filter add"

static bool is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char others[] = "0123456789.-";

	if (!*name || !strchr(letters, *name))
		return false;
	for (; *name; name++)
		if (!strchr(letters, *name) && !strchr(others, *name))
			return false;
	return true;
}

/* The place of a name in the list, or where it belongs. */
static size_t place_of(const struct filters *filters, const char *name)
{
	size_t i = 0;

	while (i < filters->list.len && strcmp(filters->list.at[i].name, name) < 0)
		i++;
	return i;
}

struct named_filter *filters_find(const struct filters *filters, const char *name)
{
	size_t i = place_of(filters, name);

	return i < filters->list.len && !strcmp(filters->list.at[i].name, name) ?
	               &filters->list.at[i] :
	               NULL;
}

/* Those of recorded programs. */

static const struct named_filter of_programs[] = {
#define X(id, text) { .name = text },
	PROGRAM_FILTERS(X)
#undef X
};

enum program_filter program_filter_of(const char *name)
{
	enum program_filter i = 0;

	while (i < N_PROGRAM_FILTERS && strcmp(name, of_programs[i].name) != 0)
		i++;
	return i;
}

const struct named_filter *filters_shown(const struct filters *filters, bool of_program,
                                         const char *name)
{
	enum program_filter i = program_filter_of(name);

	return of_program && i < N_PROGRAM_FILTERS ? &of_programs[i] : filters_find(filters, name);
}

size_t filters_all_shown(const struct filters *filters, bool of_program,
                         const struct named_filter **out)
{
	size_t n = 0, next = of_program ? 0 : N_PROGRAM_FILTERS;

	for (size_t i = 0; i < filters->list.len; i++) {
		const struct named_filter *filter = &filters->list.at[i];

		while (next < N_PROGRAM_FILTERS && strcmp(of_programs[next].name, filter->name) < 0)
			out[n++] = &of_programs[next++];
		if (filters_shown(filters, of_program, filter->name) == filter)
			out[n++] = filter;
	}
	while (next < N_PROGRAM_FILTERS)
		out[n++] = &of_programs[next++];
	return n;
}

static void release_one(struct named_filter *filter)
{
	free((char *)filter->name);
	free(filter->text);
	filter_free(filter->filter);
}

static void take_out(struct filters *filters, size_t i)
{
	release_one(&filters->list.at[i]);
	memmove(&filters->list.at[i], &filters->list.at[i + 1],
	        (filters->list.len - i - 1) * sizeof *filters->list.at);
	filters->list.len--;
}

/* text and filter are NULL for the one that is built in. */
static struct named_filter *put_in(struct filters *filters, const char *name, const char *text,
                                   struct filter *filter)
{
	size_t i = place_of(filters, name);

	vec_add(&filters->list);
	memmove(&filters->list.at[i + 1], &filters->list.at[i],
	        (filters->list.len - i - 1) * sizeof *filters->list.at);
	filters->list.at[i] = (struct named_filter){
		.name = mem_copy(name, strlen(name)),
		.text = text ? mem_copy(text, strlen(text)) : NULL,
		.filter = filter,
		.id = ++filters->last_id,
	};
	return &filters->list.at[i];
}

static bool name_fits(const char *name, struct err *err)
{
	if (!strcmp(name, FILTER_BUILT_IN))
		return err_at(err, ERR_VALUE, "command", 0, "The filter \"%s\" is built in.",
		              name);
	return is_name(name) || err_at(err, ERR_VALUE, "command", 0,
	                               "\"%.100s\" can't be the name of a filter: letters, "
	                               "digits, _ . and -, beginning with a letter or _.",
	                               name);
}

/* False: the filter is as it was. */
static struct named_filter *replace(struct filters *filters, const char *name, const char *text,
                                    struct err *err)
{
	struct named_filter *old;
	struct filter *filter;

	if (!name_fits(name, err))
		return NULL;
	filter = filter_parse(text, err);
	if (!filter)
		return NULL;
	old = filters_find(filters, name);
	if (old)
		take_out(filters, (size_t)(old - filters->list.at));
	return put_in(filters, name, text, filter);
}

/* The config file. */

struct from_config {
	struct filters *filters;
	struct config_complaint *complaint;
};

/* NAME EXPR: the expression may stand in quotes that it does not hold itself. */
static void add_from_line(void *context, size_t number, const char *rest)
{
	const struct from_config *from = context;
	size_t name_len = strcspn(rest, " \t"), len;
	const char *text = rest + name_len + strspn(rest + name_len, " \t");
	char *name = mem_copy(rest, name_len), *bare;
	struct named_filter *added;
	struct err err = {0};

	len = strlen(text);
	if (len > 1 && (*text == '"' || *text == '\'') &&
	    memchr(text + 1, *text, len - 1) == text + len - 1) {
		text++;
		len -= 2;
	}
	bare = mem_copy(text, len);
	added = replace(from->filters, name, bare, &err);
	if (added)
		added->saved = true;
	else
		config_complain(from->complaint, number, "%s", err.msg);
	free(bare);
	free(name);
}

static bool save(const char *name, const char *text, struct err *err)
{
	struct str begins = {0}, line = {0};
	const char *quote = !text || strchr(text, '\'') ? "" : "'";
	bool ok;

	if (text && !*quote && !strchr(text, '"'))
		quote = "\"";
	str_fmt(&begins, LINE_BEGINS " %s", name);
	if (text)
		str_fmt(&line, "%s %s%s%s", begins.text, quote, text, quote);
	ok = config_put_line(begins.text, text ? line.text : NULL, err);
	str_release(&begins);
	str_release(&line);
	return ok;
}

void filters_init(struct filters *filters, struct config_complaint *complaint)
{
	struct from_config from = { filters, complaint };

	*filters = (struct filters){0};
	put_in(filters, FILTER_BUILT_IN, NULL, NULL);
	config_each_line(LINE_BEGINS, add_from_line, &from);
}

void filters_release(struct filters *filters)
{
	for (size_t i = 0; i < filters->list.len; i++)
		release_one(&filters->list.at[i]);
	vec_release(&filters->list);
}

bool filters_add(struct filters *filters, const char *name, const char *text, bool saved,
                 struct err *err)
{
	struct named_filter *added = replace(filters, name, text, err);

	if (!added || !saved)
		return added;
	added->saved = save(name, text, err);
	return added->saved;
}

bool filters_remove(struct filters *filters, const char *name, bool saved, struct err *err)
{
	struct named_filter *old = filters_find(filters, name);

	if (!old)
		return err_at(err, ERR_VALUE, "command", 0,
		              "There is no tensor filter named \"%.100s\".", name);
	if (!old->text)
		return err_at(err, ERR_VALUE, "command", 0, "The filter \"%s\" is built in.",
		              name);
	saved &= old->saved;
	take_out(filters, (size_t)(old - filters->list.at));
	return !saved || save(name, NULL, err);
}

/* Verdicts. */

/* No value was stored, but something was recorded of it. */
static unsigned built_in_recorded(const struct run *run, const struct tensor *tensor,
                                  struct err *err)
{
	enum fact_state state = fact_recorded(run, tensor);

	if (state == FACT_CANT_TELL)
		return 0;
	*err = (struct err){0};
	return state == FACT_BAD ? VERDICT_PASSES : VERDICT_CLEAN;
}

/*
 * In dumps tfdbg passes over bfloat16 and float8, which numpy lacks. Files of arrays it doesn't
 * read: there they count as any other number does.
 */
static bool is_bad(const struct run *run, struct value *value, struct progress *progress,
                   struct err *err)
{
	struct stats stats;
	struct view all;

	if (!run->op_type || value->state != VALUE_ARRAY || value->type->kind != KIND_SMALL_FLOAT)
		return has_inf_or_nan(value, progress, err);
	view_all(&all, value);
	return stats_counts_of(&all, &stats, progress, err) && stats_n_bad(&stats);
}

static unsigned built_in(const struct run *run, const struct tensor *tensor,
                         struct progress *progress, struct err *err)
{
	struct value *value = run_value(run, tensor, err);
	unsigned verdict = 0;

	if (!value && err->code == ERR_MISSING)
		verdict = built_in_recorded(run, tensor, err);
	else if (value && is_bad(run, value, progress, err))
		verdict = VERDICT_PASSES;
	else if (value && value->state == VALUE_ARRAY
	         && (run->op_type || value->type->kind != KIND_SMALL_FLOAT))
		verdict = VERDICT_CLEAN;
	value_close(value);
	return verdict;
}

/* VERDICT_PASSES or not, and what else it says. */
static unsigned ask(const struct named_filter *filter, const struct run *run,
                    const struct tensor *tensor, const char *op, struct progress *progress,
                    struct err *err)
{
	unsigned verdict;

	if (filter->filter)
		return filter_passes(filter->filter, run, tensor, op, progress, err)
		               ? VERDICT_PASSES : 0;
	verdict = built_in(run, tensor, progress, err);
	return err->code ? 0 : verdict;
}

struct named_filter filter_copy(const struct named_filter *filter)
{
	return (struct named_filter){
		.filter = filter->text ? filter_parse(filter->text, NULL) : NULL, .id = filter->id,
	};
}

unsigned filter_verdict(const struct named_filter *filter, unsigned char *verdicts,
                        const struct run *run, const char *const *ops, uint32_t at,
                        struct progress *progress, struct err *err)
{
	struct err own = {0};
	unsigned verdict;

	if (verdicts[at] && !(verdicts[at] & VERDICT_UNREADABLE))
		return verdicts[at];
	verdict = VERDICT_KNOWN |
	          ask(filter, run, &run->tensors.at[at], ops ? ops[at] : NULL, progress, &own);
	if (!strcmp(own.src, "command")) {
		*err = own;
		return 0;
	}
	if (own.code)
		verdict |= VERDICT_UNREADABLE;
	verdicts[at] = (unsigned char)verdict;
	return verdict;
}

void filter_complaint(const struct named_filter *filter, const struct run *run,
                      const char *const *ops, uint32_t at, struct progress *progress,
                      struct err *err)
{
	ask(filter, run, &run->tensors.at[at], ops[at], progress, err);
}
