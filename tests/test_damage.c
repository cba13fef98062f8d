/*
 * Every file of a small dump is cut at every byte and has every byte changed in several ways, one
 * at a time. Each time the dump is opened and shown: nothing may crash, hang or leak, what is not
 * damaged is shown as before, and what is damaged is named with its file and an offset. A change
 * may make another valid file, so there only the first two are asked for, and that a tensor which
 * can't be shown is named.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "tests/small_dump.h"

enum harm { CUT, ZERO, ONES, HIGH_BIT, NEXT, N_HARMS };

#define MAX_BYTE 4096            /* bytes behind this one are left as they are */

/* How the undamaged dump is shown. */
struct shown {
	struct str lt;
	struct str pt[SMALL_PARTS];
};

struct sweep {
	struct small_dump dump;
	struct shown before;
	size_t harmed;           /* the part, */
	enum harm harm;
	size_t at;               /* and the byte of it */
};

#define REQUIRE(s, holds, text) \
	ck_assert_msg((holds), "%s, harm %d at byte %zu: %s not so:\n%s", \
	              (s)->dump.part[(s)->harmed].name, (int)(s)->harm, (s)->at, #holds, \
	              str_text(text))

/*
 * The rows of lt: time, size and name, without the damaged tensor's size; with the op type unless
 * the graph is damaged.
 */
static void list(const struct sweep *s, struct shell *shell, struct str *out)
{
	const struct part *harmed = &s->dump.part[s->harmed];
	struct str text = {0};
	char *rest, *row;

	session_ask(shell, "lt", &text);
	str_reset(out);
	for (row = strtok_r(text.text, "\n", &rest); row; row = strtok_r(NULL, "\n", &rest)) {
		const char *name = strrchr(row, ' '), *time, *size;
		char *words;

		if (row[0] != '[' || !name)
			continue;
		name++;
		time = strtok_r(row, " ", &words);
		size = strtok_r(NULL, " ", &words);
		str_fmt(out, "%s %s ", time,
		        harmed->tensor && !strcmp(name, harmed->tensor) ? "" : size);
		str_fmt(out, "%s %s\n",
		        harmed->kind == PART_GRAPH ? "" : strtok_r(NULL, " ", &words), name);
	}
	str_release(&text);
}

/* With its device a tensor is found whether or not the graph can be read. */
static bool print(struct shell *shell, const char *options, const char *tensor, struct str *out)
{
	struct str line = {0};
	bool ok;

	str_fmt(&line, "pt -D CPU %s%s", options, tensor);
	ok = session_ask(shell, line.text, out);
	str_release(&line);
	return ok;
}

static void note_before(struct sweep *s)
{
	struct shell *shell = session_of(s->dump.dir);

	list(s, shell, &s->before.lt);
	for (size_t i = 0; i < SMALL_PARTS; i++)
		if (s->dump.part[i].tensor)
			ck_assert(print(shell, "", s->dump.part[i].tensor, &s->before.pt[i]));
	shell_free(shell);
}

static void put_harmed(const struct sweep *s)
{
	const struct part *part = &s->dump.part[s->harmed];
	char *bytes = mem_copy(part->bytes.text, part->bytes.len);
	unsigned char *byte = (unsigned char *)bytes + s->at;

	switch (s->harm) {
	case ZERO: *byte = 0; break;
	case ONES: *byte = 0xff; break;
	case HIGH_BIT: *byte ^= 0x80; break;
	case NEXT: ++*byte; break;
	default: break;
	}
	dump_put(s->dump.dir, part->name, bytes, s->harm == CUT ? s->at : part->bytes.len);
	free(bytes);
}

static bool names_place(const struct sweep *s, const struct str *text)
{
	return strstr(str_text(text), path_name(s->dump.part[s->harmed].name)) &&
	       strstr(str_text(text), ", offset ");
}

static void look_at_rest(const struct sweep *s, struct shell *shell)
{
	struct str text = {0};

	list(s, shell, &text);
	REQUIRE(s, !strcmp(str_text(&text), str_text(&s->before.lt)), &text);
	for (size_t i = 0; i < SMALL_PARTS; i++) {
		if (i == s->harmed || !s->dump.part[i].tensor)
			continue;
		print(shell, "", s->dump.part[i].tensor, &text);
		REQUIRE(s, !strcmp(text.text, s->before.pt[i].text), &text);
	}
	str_release(&text);
}

static void look_at_tensor(const struct sweep *s, struct shell *shell)
{
	const char *tensor = s->dump.part[s->harmed].tensor;
	struct str text = {0};

	if (print(shell, "", tensor, &text))
		REQUIRE(s, s->harm != CUT, &text);
	else
		REQUIRE(s, names_place(s, &text), &text);
	print(shell, "-s ", tensor, &text);
	print(shell, "-a -r [0,1] ", tensor, &text);
	session_ask(shell, "lt -f has_inf_or_nan", &text);
	REQUIRE(s, s->harm != CUT || names_place(s, &text), &text);
	str_release(&text);
}

static void look_at_graph(struct shell *shell)
{
	static const char *const lines[] = {
		"ni -a -d linear/pred",
		"ni linear/w:0",
		"li -r linear/pred",
		"lo -r -c linear/w/read",
	};
	struct str text = {0};

	for (size_t i = 0; i < ROWS(lines); i++)
		session_ask(shell, lines[i], &text);
	str_release(&text);
}

static void look(const struct sweep *s)
{
	struct shell *shell = session_of(s->dump.dir);
	struct str warnings = {0};

	session_warnings(shell, &warnings);
	look_at_rest(s, shell);
	if (s->dump.part[s->harmed].kind == PART_TENSOR)
		look_at_tensor(s, shell);
	else
		REQUIRE(s, s->harm != CUT || names_place(s, &warnings), &warnings);
	if (s->dump.part[s->harmed].kind == PART_GRAPH)
		look_at_graph(shell);
	str_release(&warnings);
	shell_free(shell);
}

static void sweep_release(struct sweep *s)
{
	str_release(&s->before.lt);
	for (size_t i = 0; i < SMALL_PARTS; i++)
		str_release(&s->before.pt[i]);
	small_dump_remove(&s->dump);
}

START_TEST(damage_stays_where_it_is)
{
	struct sweep s = { .harmed = (size_t)_i / N_HARMS, .harm = (enum harm)(_i % N_HARMS) };
	size_t len;

	small_dump_make(&s.dump);
	len = s.dump.part[s.harmed].bytes.len;
	note_before(&s);
	for (s.at = 0; s.at < len && (s.harm == CUT || s.at < MAX_BYTE); s.at++) {
		put_harmed(&s);
		look(&s);
	}
	sweep_release(&s);
}
END_TEST

/* Was the nth mem_try from mem_fail_try(nth) on reached? */
static bool has_failed(long nth)
{
	for (long i = 0; i <= nth; i++) {
		void *block = mem_try(1);

		free(block);
		if (!block)
			return false;
	}
	mem_fail_try(-1);
	return true;
}

/*
 * Into said what a user reads: why the dump can't be loaded, or warnings and answer; into shown the
 * answer.
 */
static bool load_and_print(const char *dir, struct str *said, struct str *shown)
{
	struct shell *shell = shell_new();
	struct err err = {0};
	bool ok = shell_open(shell, dir, &err) && shell_load(shell, NULL, &err);

	str_reset(said);
	str_reset(shown);
	str_puts(said, err.msg);
	if (ok) {
		session_warnings(shell, said);
		ok = !said->len;
		if (!print(shell, "-s ", "linear/pred:0", shown)) {
			str_puts(said, shown->text);
			ok = false;
		}
	}
	shell_free(shell);
	return ok;
}

START_TEST(every_refused_allocation_is_told)
{
	struct small_dump dump;
	struct str said = {0}, plain = {0}, shown = {0};
	long nth;

	small_dump_make(&dump);
	ck_assert(load_and_print(dump.dir, &said, &plain));
	for (nth = 0;; nth++) {
		bool ok;

		mem_fail_try(nth);
		ok = load_and_print(dump.dir, &said, &shown);
		if (!has_failed(nth)) {
			ck_assert_msg(ok, "%s", str_text(&said));
			break;
		}
		/* An allocation that fails may not have mattered: then all is as without it. */
		if (ok)
			ck_assert_str_eq(str_text(&shown), str_text(&plain));
		else
			ck_assert_msg(strstr(str_text(&said), "memory") != NULL,
			              "allocation %ld: %s", nth, str_text(&said));
	}
	ck_assert_int_gt(nth, 3);
	str_release(&said);
	str_release(&plain);
	str_release(&shown);
	small_dump_remove(&dump);
}
END_TEST

/* A graph that is cut while it is open is not taken for one without edges. */
static const char *const graph_questions[] = {
	"li linear/w/read", "lo linear/w/read", "ni linear/w/read", "ni -a linear/w/read",
	"graph linear/w/read",
};

START_TEST(a_graph_cut_while_open_is_an_error)
{
	struct small_dump dump;
	struct str said = {0};
	struct shell *shell;
	size_t graph = 0;

	small_dump_make(&dump);
	shell = session_of(dump.dir);
	while (dump.part[graph].kind != PART_GRAPH)
		graph++;
	dump_put(dump.dir, dump.part[graph].name, str_text(&dump.part[graph].bytes), 100);
	ck_assert(!session_ask(shell, graph_questions[_i], &said));
	ck_assert_msg(strstr(str_text(&said), "has changed since it was read"), "%s",
	              str_text(&said));
	str_release(&said);
	shell_free(shell);
	small_dump_remove(&dump);
}
END_TEST

SUITE_MAIN("damage",
	tcase_add_loop_test(t, a_graph_cut_while_open_is_an_error, 0, ROWS(graph_questions));
	tcase_add_loop_test(t, damage_stays_where_it_is, 0, SMALL_PARTS * N_HARMS);
	tcase_add_test(t, every_refused_allocation_is_told);
)
