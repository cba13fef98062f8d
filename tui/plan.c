/*
 * A group is a list of parts with one sign between them. It becomes splits from the right: the last
 * two share what the third last leaves, and so on; so a percentage of the whole group becomes one
 * of what is left.
 */
#include "tui/plan.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 8 };

static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";

struct parser {
	const char *text, *at;
	struct arena *mem;
	struct plan *plan;
	struct err *err;
	int depth;
};

struct part {
	int part;                /* as in an arrangement */
	int percent;             /* 0: what the others leave */
};

bool plan_is_name(const char *name)
{
	return *name && !strchr(".-", *name) && !name[strspn(name, name_letters)];
}

static bool fails_at(struct parser *p, const char *at, const char *what)
{
	return err_at(p->err, ERR_SYNTAX, "command", (uint64_t)(at - p->text), "column %d: %s",
	              (int)(at - p->text) + 1, what);
}

static bool takes(struct parser *p, char sign)
{
	p->at += strspn(p->at, " \t");
	if (*p->at != sign)
		return false;
	p->at++;
	return true;
}

/* A command in quotes, or a word. */
static bool read_text(struct parser *p, const char **out)
{
	char quote = *p->at == '"' || *p->at == '\'' ? *p->at : '\0';
	const char *begin = p->at + (quote != '\0');
	size_t len = strspn(begin, name_letters);

	if (quote) {
		const char *end = strchr(begin, quote);

		if (!end)
			return fails_at(p, p->at, "this quote is not closed");
		len = (size_t)(end - begin);
	}
	if (!len || strspn(begin, " \t") == len)
		return fails_at(p, p->at, "expected list, detail, a command or (");
	*out = arena_copy(p->mem, begin, len);
	p->at = begin + len + (quote != '\0');
	return true;
}

static bool is_twice(const struct plan *plan, const char *pane)
{
	for (int i = 0; i < plan->n_panes; i++)
		if (!strcmp(plan->pane[i], pane) &&
		    (!strcmp(pane, PLAN_LIST) || !strcmp(pane, PLAN_DETAIL)))
			return true;
	return false;
}

static bool read_pane(struct parser *p, struct part *out)
{
	const char *begin = p->at, *pane;

	if (!read_text(p, &pane))
		return false;
	if (is_twice(p->plan, pane))
		return fails_at(p, begin, "only one pane can be this");
	if (p->plan->n_panes == MAX_PANES)
		return fails_at(p, begin, "there is room for 4 panes only");
	out->part = p->plan->n_panes;
	p->plan->pane[p->plan->n_panes++] = pane;
	return true;
}

static bool read_group(struct parser *p, int *part);

static bool read_part(struct parser *p, struct part *out)
{
	const char *begin;
	long percent;
	char *end;

	out->percent = 0;
	p->at += strspn(p->at, " \t");
	begin = p->at;
	if (!takes(p, '(')) {
		if (!read_pane(p, out))
			return false;
	} else if (++p->depth > MAX_DEPTH) {
		return fails_at(p, begin, "nested too deep");
	} else if (!read_group(p, &out->part)) {
		return false;
	} else if (!takes(p, ')')) {
		return fails_at(p, p->at, "expected / or | or )");
	} else {
		p->depth--;
	}
	if (!takes(p, ':'))
		return true;
	p->at += strspn(p->at, " \t");
	begin = p->at;
	percent = strtol(begin, &end, 10);
	if (*begin < '0' || *begin > '9' || percent < 5 || percent > 95)
		return fails_at(p, begin, "expected a percentage, 5 to 95");
	out->percent = (int)percent;
	p->at = end;
	return true;
}

/* Parts without a percentage share what the others leave. False: they leave nothing. */
static bool share_rest(struct part *parts, int n)
{
	int given = 0, without = 0;

	for (int i = 0; i < n; i++) {
		given += parts[i].percent;
		without += !parts[i].percent;
	}
	if (given > 100 || (100 - given) / 5 < without)
		return false;
	for (int i = 0; i < n; i++)
		if (!parts[i].percent)
			parts[i].percent = (100 - given) / without;
	return true;
}

static int join(struct plan *plan, const struct part *parts, int n, bool beside)
{
	struct arrangement *a = &plan->arrangement;
	int part = parts[n - 1].part, total = parts[n - 1].percent;

	for (int i = n - 2; i >= 0; i--) {
		int k = a->n_splits++;

		total += parts[i].percent;
		a->split[k] = (struct split){ .beside = beside, .part = { parts[i].part, part } };
		arrangement_set_permille(a, k, parts[i].percent * 1000 / total);
		part = SPLIT(k);
	}
	return part;
}

static bool read_group(struct parser *p, int *part)
{
	struct part parts[MAX_PANES];
	const char *begin = p->at;
	char sign = '\0', next;
	int n = 0;

	do {
		if (n == MAX_PANES)
			return fails_at(p, p->at, "there is room for 4 panes only");
		if (!read_part(p, &parts[n++]))
			return false;
		p->at += strspn(p->at, " \t");
		next = *p->at == '/' || *p->at == '|' ? *p->at : '\0';
		if (sign && next && next != sign)
			return fails_at(p, p->at, "/ and | need parentheses between them");
		sign = next ? next : sign;
	} while (next && takes(p, next));
	if (!share_rest(parts, n))
		return fails_at(p, begin, "the percentages leave too little, or are more than 100");
	*part = join(p->plan, parts, n, sign == '|');
	return true;
}

bool plan_parse(const char *text, struct arena *mem, struct plan *out, struct err *err)
{
	struct parser p = { .text = text, .at = text, .mem = mem, .plan = out, .err = err };

	*out = (struct plan){0};
	if (!read_group(&p, &out->arrangement.root))
		return false;
	if (*p.at)
		return fails_at(&p, p.at, "expected / or | or the end");
	if (out->n_panes == 1 && !strcmp(out->pane[0], PLAN_DETAIL))
		return fails_at(&p, text, "detail needs a pane to follow");
	return true;
}

/* The text of one. */

static void put_pane(const char *pane, struct str *out)
{
	const char *quote = !pane[strspn(pane, name_letters)] ? "" : strchr(pane, '"') ? "'" : "\"";

	str_fmt(out, "%s%s%s", quote, pane, quote);
}

static void put_part(const struct arrangement *a, int part, const char *const pane[MAX_PANES],
                     bool nested, struct str *out)
{
	const struct split *split;

	if (part >= 0) {
		put_pane(pane[part], out);
		return;
	}
	split = &a->split[SPLIT(part)];
	if (nested)
		str_putc(out, '(');
	put_part(a, split->part[0], pane, true, out);
	str_fmt(out, ":%d%c", (split->permille + 5) / 10, split->beside ? '|' : '/');
	put_part(a, split->part[1], pane, true, out);
	if (nested)
		str_putc(out, ')');
}

void plan_put(const struct arrangement *arrangement, const char *const pane[MAX_PANES],
              struct str *out)
{
	put_part(arrangement, arrangement->root, pane, false, out);
}
