/*
 * What the recorded tool answered, asked of this program: every
 * testdata/NAME[.source][.wWIDTH].golden is one session over testdata/NAME, once as text and once
 * as a document with its font segments; those in testdata/profile are about the parts in that
 * directory, whose sources were recorded in /tmp/demo.
 *
 * Lines of a golden:  % directive, for the next command    $ command    > line of the answer
 *                     @ row begin end attributes           ! annotation
 * Directives: unordered; lines N: only the first N count; approx: equal but for blanks and the last
 * digits of numbers; text: no segments; skip: sent, not compared; of the whole session: width N,
 * and needs python-graph: testdata/NAME.stacks.json is given.
 */
#include "tests/suite.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/program.h"

/* What these say is this program's own; they are sent all the same. */
static const char *const own_words[] = { "help", "h", "version", "ver" };

#define PROMPT "tensordbg> "
#define MAX_SHOWN 5              /* differing answers that are printed */

struct lines {
	char **at;
	size_t len, cap;
};

/* One command: what was recorded, and what came. Lines point into the texts they were cut from. */
struct exchange {
	char *command;
	bool unordered, approx, text, skip, answered;
	size_t n_lines;          /* directive lines; SIZE_MAX without */
	struct lines want, want_marks, got, got_marks;
};

struct golden {
	struct str text, out;
	int width;
	bool stacks;             /* needs python-graph */
	VEC(struct exchange) all;
};

static glob_t goldens;

static void cut_lines(struct str *text, struct lines *out)
{
	char *at = text->text, *end;

	for (; at && (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		vec_push(out, at);
	}
	if (at && *at)
		vec_push(out, at);
}

static bool starts(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static void read_directive(struct golden *g, struct exchange *next, const char *line)
{
	if (starts(line, "% width "))
		g->width = (int)strtol(line + 8, NULL, 10);
	else if (starts(line, "% needs python-graph"))
		g->stacks = true;
	else if (starts(line, "% lines "))
		next->n_lines = strtoul(line + 8, NULL, 10);
	else if (starts(line, "% unordered"))
		next->unordered = true;
	else if (starts(line, "% approx"))
		next->approx = true;
	else if (starts(line, "% text"))
		next->text = true;
	else if (starts(line, "% skip"))
		next->skip = true;
	else
		ck_assert_msg(starts(line, "% note"), "unknown directive: %s", line);
}

static void read_golden(struct golden *g, const char *path)
{
	struct exchange next = { .n_lines = SIZE_MAX };
	struct lines lines = {0};

	ck_assert(read_whole(path, &g->text));
	cut_lines(&g->text, &lines);
	for (size_t i = 0; i < lines.len; i++) {
		char *line = lines.at[i];

		if (line[0] == '%') {
			read_directive(g, &next, line);
		} else if (line[0] == '$') {
			next.command = line[1] ? line + 2 : line + 1;
			vec_push(&g->all, next);
			next = (struct exchange){ .n_lines = SIZE_MAX };
		} else if (line[0] == '>') {
			vec_push(&vec_last(&g->all)->want, line[1] ? line + 2 : line + 1);
		} else {
			ck_assert_msg(line[0] == '@' || line[0] == '!', "no golden line: %s", line);
			vec_push(&vec_last(&g->all)->want_marks, line);
		}
	}
	vec_release(&lines);
}

/* Equal but for blanks at the end: a command keeps those, an editor does not. */
static bool is_echo(const char *line, const char *command)
{
	size_t line_len = strlen(line), len = strlen(command);

	if (!starts(line, PROMPT))
		return false;
	while (line_len > strlen(PROMPT) && line[line_len - 1] == ' ')
		line_len--;
	while (len && command[len - 1] == ' ')
		len--;
	return line_len == strlen(PROMPT) + len && !strncmp(line + strlen(PROMPT), command, len);
}

static void take_answer(struct exchange *e, char *line, bool doc)
{
	if (!doc)
		vec_push(&e->got, line);
	else if (line[0] == '>')
		vec_push(&e->got, line[1] ? line + 2 : line + 1);
	else if (starts(line, "@ ") || starts(line, "! "))
		vec_push(&e->got_marks, line);
}

static void split_output(struct golden *g, bool doc)
{
	struct lines lines = {0};
	size_t at = 0;

	cut_lines(&g->out, &lines);
	for (size_t i = 0; i < g->all.len; i++) {
		struct exchange *e = &g->all.at[i];
		const char *next = i + 1 < g->all.len ? g->all.at[i + 1].command : NULL;

		while (at < lines.len && !is_echo(lines.at[at], e->command))
			at++;
		if (at == lines.len)
			break;
		e->answered = true;
		for (at++; at < lines.len && !(next && is_echo(lines.at[at], next)); at++)
			take_answer(e, lines.at[at], doc);
	}
	vec_release(&lines);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool same_lines(const struct lines *a, const struct lines *b, size_t n)
{
	size_t a_len = a->len < n ? a->len : n, b_len = b->len < n ? b->len : n;

	for (size_t i = 0; i < a_len && i < b_len; i++)
		if (strcmp(a->at[i], b->at[i]) != 0)
			return false;
	return a_len == b_len;
}

static bool same_set(struct lines *a, struct lines *b)
{
	if (a->len)
		qsort(a->at, a->len, sizeof *a->at, by_text);
	if (b->len)
		qsort(b->at, b->len, sizeof *b->at, by_text);
	return same_lines(a, b, SIZE_MAX);
}

/* Bytes of the number at text, with its sign; 0 if there is none. */
static size_t number_len(const char *text)
{
	const char *p = text + (*text == '-' || *text == '+');
	const char *exponent;

	if (starts(p, "nan") || starts(p, "inf"))
		return (size_t)(p + 3 - text);
	if (!isdigit((unsigned char)p[0]) && !(p[0] == '.' && isdigit((unsigned char)p[1])))
		return 0;
	p += strspn(p, "0123456789");
	if (*p == '.')
		p += 1 + strspn(p + 1, "0123456789");
	exponent = p + 1 + (p[0] && (p[1] == '-' || p[1] == '+'));
	if ((*p == 'e' || *p == 'E') && isdigit((unsigned char)*exponent))
		p = exponent + strspn(exponent, "0123456789");
	return (size_t)(p - text);
}

static bool same_number(const char *a, size_t a_len, const char *b, size_t b_len)
{
	char a_text[64], b_text[64];
	double x, y;

	snprintf(a_text, sizeof a_text, "%.*s", (int)a_len, a);
	snprintf(b_text, sizeof b_text, "%.*s", (int)b_len, b);
	x = strtod(a_text, NULL);
	y = strtod(b_text, NULL);
	if (!isfinite(x) || !isfinite(y))
		return x == y || (isnan(x) && isnan(y));
	return fabs(x - y) <= 1e-7 || fabs(x - y) <= 1e-5 * fmax(fabs(x), fabs(y));
}

static bool nearly_same_text(const char *a, const char *b)
{
	for (;;) {
		size_t a_len, b_len;

		a += strspn(a, " \n");
		b += strspn(b, " \n");
		a_len = number_len(a);
		b_len = number_len(b);
		if (a_len && b_len) {
			if (!same_number(a, a_len, b, b_len))
				return false;
			a += a_len;
			b += b_len;
		} else if (*a != *b) {
			return false;
		} else if (!*a) {
			return true;
		} else {
			a++;
			b++;
		}
	}
}

static bool nearly_same(const struct lines *a, const struct lines *b)
{
	struct str a_text = {0}, b_text = {0};
	bool same;

	for (size_t i = 0; i < a->len; i++)
		str_fmt(&a_text, "%s\n", a->at[i]);
	for (size_t i = 0; i < b->len; i++)
		str_fmt(&b_text, "%s\n", b->at[i]);
	same = nearly_same_text(str_text(&a_text), str_text(&b_text));
	str_release(&a_text);
	str_release(&b_text);
	return same;
}

static bool is_same(struct exchange *e, bool doc)
{
	bool plain = e->n_lines == SIZE_MAX && !e->unordered && !e->approx;

	if (!e->answered)
		return false;
	if (e->unordered ? !same_set(&e->want, &e->got)
	    : e->approx ? !nearly_same(&e->want, &e->got)
	    : !same_lines(&e->want, &e->got, e->n_lines))
		return false;
	return !doc || !plain || e->text || same_set(&e->want_marks, &e->got_marks);
}

static void print_first_difference(const struct lines *want, const struct lines *got)
{
	size_t i = 0;

	while (i < want->len && i < got->len && !strcmp(want->at[i], got->at[i]))
		i++;
	if (i == want->len && i == got->len)
		return;
	fprintf(stderr, "  line %zu of %zu, got %zu lines\n", i, want->len, got->len);
	for (size_t k = i; k < i + 3 && k < want->len; k++)
		fprintf(stderr, "  - %s\n", want->at[k]);
	for (size_t k = i; k < i + 3 && k < got->len; k++)
		fprintf(stderr, "  + %s\n", got->at[k]);
}

static bool is_compared(const struct exchange *e)
{
	const char *word = e->command + strspn(e->command, " ");
	size_t len = strcspn(word, " ");

	for (size_t i = 0; i < ROWS(own_words); i++)
		if (strlen(own_words[i]) == len && !strncmp(own_words[i], word, len))
			return false;
	return !e->skip;
}

/* Takes the ending that begins with the last dot away if it begins so. */
static void cut_ending(struct str *name, const char *begin)
{
	const char *dot = strrchr(name->text, '.');

	if (dot && starts(dot, begin))
		str_cut(name, (size_t)(dot - name->text));
}

/* The dump is the golden's name without its endings. Absolute paths; the stacks may not exist. */
static void paths_of(const char *golden, char dump[PATH_MAX], struct str *stacks)
{
	struct str name = {0};

	str_puts(&name, golden);
	cut_ending(&name, ".golden");
	cut_ending(&name, ".w");
	cut_ending(&name, ".source");
	ck_assert_msg(realpath(name.text, dump) != NULL, "no dump %s", name.text);
	str_fmt(stacks, "%s.stacks.json", dump);
	str_release(&name);
}

static void write_script(const struct golden *g, const char *path)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < g->all.len; i++)
		fprintf(file, "%s\n", g->all.at[i].command);
	fclose(file);
}

/* The words that name what to open: a dump, or the parts of a profile. *text holds them. */
static void add_inputs(const struct golden *g, const char *dump, const char *stacks,
                       struct str *text, const char **argv)
{
	static const char *const parts[] = { "--graph=%s/graph.pb", "--op-log=%s/op_log.pb",
	                                     "--run-metadata=%s/run_metadata.pb",
	                                     "--source-map=/tmp/demo=%s/src" };
	size_t n_parts = ROWS(parts), at[ROWS(parts)];

	if (!strstr(dump, "testdata/profile/")) {
		*argv++ = dump;
		if (g->stacks) {
			*argv++ = "--stacks";
			*argv = stacks;
		}
		return;
	}
	for (size_t i = 0; i < n_parts; i++) {
		const char *hole = strstr(parts[i], "%s");

		at[i] = text->len;
		str_fmt(text, "%.*s%s%s", (int)(hole - parts[i]), parts[i], dump, hole + 2);
		str_putc(text, '\0');
	}
	for (size_t i = 0; i < n_parts; i++)
		argv[i] = text->text + at[i];
}

static void ask(struct golden *g, const char *path, bool doc)
{
	const char *argv[16] = { program_path(), "--echo", "--keep-going", "--width", NULL, "-x",
	                         NULL, doc ? "--format=doc" : "--format=text" };
	char dump[PATH_MAX], width[16];
	char *dir = scratch_new();
	struct str script = {0}, stacks = {0}, parts = {0};
	struct program_run ran;

	paths_of(path, dump, &stacks);
	snprintf(width, sizeof width, "%d", g->width);
	str_fmt(&script, "%s/commands", dir);
	write_script(g, script.text);
	argv[4] = width;
	argv[6] = script.text;
	add_inputs(g, dump, stacks.text, &parts, argv + 8);
	program_run(argv, dir, NULL, &ran);
	ck_assert_msg(ran.status == 0 || ran.status == 1, "status %d: %s", ran.status,
	              str_text(&ran.err));
	g->out = ran.out;
	ran.out = (struct str){0};
	program_release(&ran);
	str_release(&script);
	str_release(&stacks);
	str_release(&parts);
	scratch_remove(dir);
}

static void golden_release(struct golden *g)
{
	for (size_t i = 0; i < g->all.len; i++) {
		vec_release(&g->all.at[i].want);
		vec_release(&g->all.at[i].want_marks);
		vec_release(&g->all.at[i].got);
		vec_release(&g->all.at[i].got_marks);
	}
	vec_release(&g->all);
	str_release(&g->text);
	str_release(&g->out);
}

START_TEST(answers_as_recorded)
{
	const char *path = goldens.gl_pathv[_i / 2];
	bool doc = _i % 2;
	struct golden g = {0};
	size_t n = 0, n_bad = 0;

	read_golden(&g, path);
	ask(&g, path, doc);
	split_output(&g, doc);
	for (size_t i = 0; i < g.all.len; i++) {
		struct exchange *e = &g.all.at[i];

		if (!is_compared(e))
			continue;
		n++;
		if (is_same(e, doc))
			continue;
		if (n_bad++ < MAX_SHOWN) {
			fprintf(stderr, "%s%s: $ %s%s\n", path, doc ? " (doc)" : "", e->command,
			        e->answered ? "" : "    (no answer)");
			print_first_difference(&e->want, &e->got);
			if (doc)
				print_first_difference(&e->want_marks, &e->got_marks);
		}
	}
	golden_release(&g);
	ck_assert_uint_gt(n, 0);
	ck_assert_msg(n_bad == 0, "%s%s: %zu of %zu answers differ", path, doc ? " (doc)" : "",
	              n_bad, n);
}
END_TEST

/* The comparison itself: what it must take and what it must not. */
static const struct { const char *a, *b; bool same; } near[] = {
	{ "x 1.0000001 y", "x  1.0 y", true },
	{ "1.5e+10", "1.50001e+10", true },
	{ "-0.0", "0.", true },
	{ "nan inf", "nan\ninf", true },
	{ "1.5", "1.6", false },
	{ "1.5", "1.5 2", false },
	{ "a1", "b1", false },
	{ "inf", "1e300", false },
	{ "nan", "0.0", false },
};

START_TEST(approximation_has_bounds)
{
	ck_assert_int_eq(nearly_same_text(near[_i].a, near[_i].b), near[_i].same);
}
END_TEST

static int find_goldens(void)
{
	if (glob("testdata/*.golden", 0, NULL, &goldens) != 0
	    || glob("testdata/profile/*.golden", GLOB_APPEND, NULL, &goldens) != 0)
		return 0;
	return (int)goldens.gl_pathc;
}

SUITE_MAIN("golden",
	tcase_add_loop_test(t, answers_as_recorded, 0, 2 * find_goldens());
	tcase_add_loop_test(t, approximation_has_bounds, 0, ROWS(near));
)
