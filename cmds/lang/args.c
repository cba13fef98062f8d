/*
 * argparse's way: first every word is classed as an option or an argument, without regard to what
 * an option before it would take; then options take the argument words that follow them, and
 * positionals what is left. The first failure counts: a word that can't be classed, then what an
 * option lacks, then missing positionals, then what nobody took.
 */
#include "cmds/lang/args.h"

#include <assert.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/* What a word means: an option of the table by its number, or one of these. */
enum { ARGUMENT = -1, HELP = -2, UNKNOWN = -3, DASHES = -4 };
struct meaning {
	int opt;
	bool is_long;
	const char *glued;       /* the value in the same word; NULL: none */
};

struct parser {
	const struct cmd *cmd;
	char **words;
	size_t n;
	struct meaning *meaning; /* one a word */
	struct args *out;
	size_t n_pos;            /* positionals taken */
	VEC(const char *) extras;
	size_t first_extra;      /* the number of its word */
	bool *help;
	struct err *err;
};

/* The options in argparse's order, -h first: k runs over -1 .. n_opts - 1. */
static const char *flag_of(const struct cmd *cmd, int k)
{
	return k < 0 ? "h" : cmd->opts[k].flag;
}

static const char *name_of(const struct cmd *cmd, int k)
{
	return k < 0 ? "help" : cmd->opts[k].name;
}

/* NULL: its name was never another one. */
static const char *former_of(const struct cmd *cmd, int k)
{
	return k < 0 ? NULL : cmd->opts[k].former;
}

static bool is_added(const struct cmd *cmd, int k)
{
	return k >= 0 && (cmd->opts[k].whole || cmd->added >> k & 1);
}

static int option_of(int k)
{
	return k < 0 ? HELP : k;
}

static bool is_text(const char *text, size_t len, const char *whole)
{
	return whole && strlen(whole) == len && !memcmp(text, whole, len);
}

static bool begins_with(const char *whole, const char *text, size_t len)
{
	return whole && strlen(whole) >= len && !memcmp(text, whole, len);
}

/* The option that is called exactly word[0..len), dashes included. */
static bool find_exact(const struct cmd *cmd, const char *word, size_t len, struct meaning *out)
{
	for (int k = -1; k < (int)cmd->n_opts; k++) {
		bool is_long = len > 2 && word[1] == '-' &&
		               (word_is(word + 2, len - 2, name_of(cmd, k)) ||
		                is_text(word + 2, len - 2, former_of(cmd, k)));

		if (!is_long && !is_text(word + 1, len - 1, flag_of(cmd, k)))
			continue;
		*out = (struct meaning){ option_of(k), is_long, NULL };
		return true;
	}
	return false;
}

/*
 * What the word may be the beginning of: names of options, or a one-letter option with its value.
 */
struct guesses {
	size_t n;
	struct meaning first;
	struct str names;
};

static void add_guess(struct guesses *g, int k, const char *dashes, const char *name,
                      const char *glued)
{
	if (!g->n++)
		g->first = (struct meaning){ option_of(k), dashes[1] == '-', glued };
	str_fmt(&g->names, "%s%s%s", g->n > 1 ? ", " : "", dashes, name);
}

static void guess(const struct cmd *cmd, const char *word, struct guesses *g)
{
	const char *value = strchr(word, '=');
	size_t len = value ? (size_t)(value - word) : strlen(word);

	for (int k = -1; k < (int)cmd->n_opts; k++) {
		const char *flag = flag_of(cmd, k);

		if (word[1] == '-') {
			if (!is_added(cmd, k) &&
			    (begins_with(name_of(cmd, k), word + 2, len - 2) ||
			     begins_with(former_of(cmd, k), word + 2, len - 2)))
				add_guess(g, k, "--", name_of(cmd, k), value ? value + 1 : NULL);
		} else if (is_text(word + 1, 1, flag)) {
			add_guess(g, k, "-", flag, word + 2);
		} else if (begins_with(flag, word + 1, strlen(word + 1))) {
			add_guess(g, k, "-", flag, NULL);
		}
	}
}

static size_t count_digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* -1 or -.5: never an option. */
static bool is_negative_number(const char *word)
{
	const char *at = word + 1 + count_digits(word + 1);

	if (!*at)
		return at > word + 1;
	return *at == '.' && at[1] && !at[1 + count_digits(at + 1)];
}

static bool classify(struct parser *p, size_t i)
{
	const char *word = p->words[i], *value;
	struct meaning *out = &p->meaning[i];
	struct guesses guesses = {0};
	bool ok = true;

	*out = (struct meaning){ ARGUMENT, false, NULL };
	if (word[0] != '-' || !word[1] || find_exact(p->cmd, word, strlen(word), out))
		return true;
	value = strchr(word, '=');
	if (value && find_exact(p->cmd, word, (size_t)(value - word), out)) {
		out->glued = value + 1;
		return true;
	}
	guess(p->cmd, word, &guesses);
	if (guesses.n == 1)
		*out = guesses.first;
	else if (guesses.n > 1)
		ok = err_at(p->err, ERR_SYNTAX, "command", i, "ambiguous option: %s could match %s",
		            word, str_text(&guesses.names));
	else if (!is_negative_number(word) && !strchr(word, ' '))
		out->opt = UNKNOWN;
	str_release(&guesses.names);
	return ok;
}

static bool classify_all(struct parser *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!strcmp(p->words[i], "--")) {
			p->meaning[i].opt = DASHES;
			while (++i < p->n)
				p->meaning[i].opt = ARGUMENT;
			return true;
		}
		if (!classify(p, i))
			return false;
	}
	return true;
}

/* "argument -n/--number: WHAT 'repr of text'"; text NULL: without it. */
static bool refuse(struct parser *p, size_t i, int k, const char *what, const char *text)
{
	struct str msg = {0};

	str_puts(&msg, "argument ");
	if (flag_of(p->cmd, k))
		str_fmt(&msg, "-%s/", flag_of(p->cmd, k));
	str_fmt(&msg, "--%s: %s", name_of(p->cmd, k), what);
	if (text) {
		str_putc(&msg, ' ');
		python_repr(&msg, text, strlen(text));
	}
	err_fill(p->err, ERR_SYNTAX, "command", i, "%s", str_text(&msg));
	str_release(&msg);
	return false;
}

static bool store(struct parser *p, size_t i, int k, const char *value)
{
	struct opt_value *out = &p->out->opt[k];

	if (p->cmd->opts[k].kind != OPT_WORD && !python_int(value, strlen(value), &out->number))
		return refuse(p, i, k, "invalid int value:", value);
	out->given = true;
	out->word = value;
	return true;
}

static bool takes_value(const struct cmd *cmd, int opt)
{
	return opt >= 0 && cmd->opts[opt].kind != OPT_FLAG;
}

/*
 * A flag with text glued to it: "-as" is -a -s. Turns *m into the next one; its value is what is
 * left of the word.
 */
static bool next_in_group(struct parser *p, size_t i, struct meaning *m)
{
	char name[] = { '-', m->glued[0], '\0' };
	struct meaning next;

	if (m->is_long || !m->glued[0] || !find_exact(p->cmd, name, 2, &next))
		return refuse(p, i, m->opt == HELP ? -1 : m->opt, "ignored explicit argument",
		              m->glued);
	next.glued = m->glued[1] ? m->glued + 1 : NULL;
	*m = next;
	return true;
}

static bool say_help(struct parser *p, size_t i)
{
	*p->help = true;
	return err_at(p->err, ERR_SYNTAX, "command", i, "%s", "");
}

static void leave_over(struct parser *p, size_t i)
{
	if (!p->extras.len)
		p->first_extra = i;
	vec_push(&p->extras, p->words[i]);
}

static bool is_count(const struct parser *p, size_t i)
{
	int64_t number;

	return i < p->n && p->meaning[i].opt == ARGUMENT &&
	       python_int(p->words[i], strlen(p->words[i]), &number);
}

/*
 * Word *i is an option; takes it and the value in the next word. -h acts once its whole group is
 * understood.
 */
static bool take_option(struct parser *p, size_t *i)
{
	size_t at = (*i)++;
	struct meaning m = p->meaning[at];
	bool help = false;
	const char *value;

	if (m.opt == UNKNOWN) {
		leave_over(p, at);
		return true;
	}
	while (!takes_value(p->cmd, m.opt)) {
		if (m.opt == HELP)
			help = true;
		else
			p->out->opt[m.opt].given = true;
		if (!m.glued)
			return !help || say_help(p, at);
		if (!next_in_group(p, at, &m))
			return false;
	}
	value = m.glued;
	if (!value && p->cmd->opts[m.opt].kind == OPT_COUNT && !is_count(p, *i)) {
		p->out->opt[m.opt] = (struct opt_value){ .given = true, .number = 1 };
		return !help || say_help(p, at);
	}
	if (!value && (*i == p->n || p->meaning[*i].opt != ARGUMENT))
		return refuse(p, at, m.opt, "expected one argument", NULL);
	if (!value)
		value = p->words[(*i)++];
	return help ? say_help(p, at) : store(p, at, m.opt, value);
}

/* The -- goes with the positional before or after it; where there is none it is left over. */
static bool take_all(struct parser *p)
{
	bool after_pos = false;

	for (size_t i = 0; i < p->n;) {
		int opt = p->meaning[i].opt;
		bool room = p->n_pos < p->cmd->n_pos;

		if (opt != ARGUMENT && opt != DASHES) {
			if (!take_option(p, &i))
				return false;
			after_pos = false;
			continue;
		}
		if (opt == ARGUMENT && room)
			p->out->pos[p->n_pos++] = p->words[i];
		else if (opt == ARGUMENT || (!after_pos && !room))
			leave_over(p, i);
		after_pos = opt == ARGUMENT && room;
		i++;
	}
	return true;
}

static bool check_complete(struct parser *p)
{
	struct str list = {0};
	bool ok;

	for (size_t k = p->n_pos; k < p->cmd->n_pos; k++)
		if (!p->cmd->pos[k].optional)
			str_fmt(&list, "%s%s", list.len ? ", " : "", p->cmd->pos[k].name);
	ok = !list.len && !p->extras.len;
	if (list.len) {
		err_fill(p->err, ERR_SYNTAX, "command", p->n,
		         "the following arguments are required: %s", list.text);
	} else if (!ok) {
		for (size_t k = 0; k < p->extras.len; k++)
			str_fmt(&list, " %s", p->extras.at[k]);
		err_fill(p->err, ERR_SYNTAX, "command", p->first_extra, "unrecognized arguments:%s",
		         list.text);
	}
	str_release(&list);
	return ok;
}

bool args_parse(const struct cmd *cmd, char **words, size_t n, struct arena *mem, struct args *out,
                bool *help, struct err *err)
{
	struct args made = {0};
	struct parser p = {
		.cmd = cmd, .words = words, .n = n, .out = &made, .help = help, .err = err,
		.meaning = arena_alloc(mem, (n + 1) * sizeof *p.meaning),
	};
	bool ok;

	assert(cmd->n_opts <= MAX_OPTS && cmd->n_pos <= MAX_POS);
	*help = false;
	ok = classify_all(&p) && take_all(&p) && check_complete(&p);
	vec_release(&p.extras);
	if (ok)
		*out = made;
	return ok;
}

bool node_word_parse(const char *word, struct arena *mem, struct node_word *out, struct err *err)
{
	const char *colon = strrchr(word, ':');
	int64_t slot = 0;

	if (!colon || !colon[1]) {
		*out = (struct node_word){ .node = arena_copy(mem, word, strlen(word)) };
		return true;
	}
	if (!python_int_read(colon + 1, strlen(colon + 1), (uint64_t)(colon + 1 - word), &slot,
	                     err))
		return false;
	*out = (struct node_word){ arena_copy(mem, word, (size_t)(colon - word)), true, slot };
	return true;
}

void opt_put_help(const struct opt *opt, struct str *out)
{
	str_puts(out, opt->help);
	for (size_t i = 0; opt->words && opt->words[i]; i++)
		str_fmt(out, "%s%s", i ? "," : "", opt->words[i]);
}
