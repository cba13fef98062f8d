/*
 * Lines as typed. Rows without a remark are recorded answers of tfdbg, or follow its rules word by
 * word.
 */
#include <string.h>

#include "cmds/doc/link.h"
#include "cmds/lang/interval.h"
#include "cmds/lang/words.h"
#include "dump/base/str.h"
#include "tests/suite.h"

/* words: each ended by |. file NULL: no redirection. */
static const struct {
	const char *line, *words, *file;
	bool append;
} good[] = {
	{ "", "", NULL, false },
	{ " \t ", "", NULL, false },
	{ "lt", "lt|", NULL, false },
	{ "  lt  ", "lt|", NULL, false },
	{ "\"lt\"", "\"lt\"|", NULL, false },
	{ "pt  m:0[1, 2, :]   -a", "pt|m:0[1, 2, :]|-a|", NULL, false },
	{ "pt m:0 -r [[-1, 0], [1, 2]]", "pt|m:0|-r|[[-1, 0],|[1, 2]]|", NULL, false },
	{ "foo \"\" \"q r\"", "foo||q r|", NULL, false },
	{ "foo 'a b' '\"'", "foo|a b|\"|", NULL, false },
	{ "foo \"", "foo||", NULL, false },
	{ "ev `m:0`[0, 1]", "ev|`m:0`[0, 1]|", NULL, false },
	{ "lt --x=\"a b\"", "lt|--x=\"a b\"|", NULL, false },
	{ "lt [a b", "lt|[a|b|", NULL, false },
	{ "lt\xc2\xa0-a", "lt|-a|", NULL, false },
	{ "lt > out.txt", "lt|", "out.txt", false },
	{ "lt >out.txt", "lt|", "out.txt", false },
	{ "lt>out.txt", "lt|", "out.txt", false },
	{ "lt -s dump_size> out.txt", "lt|-s|dump_size|", "out.txt", false },
	{ "lt > \"my file\"", "lt|", "my file", false },
	{ "pt linear/w:0[0:2, :] -s > w.txt", "pt|linear/w:0[0:2, :]|-s|", "w.txt", false },
	{ "lt -n a>b>c", "lt|-n|a>b>c|", NULL, false },
	{ "lt -n >5", "lt|-n|>5|", NULL, false },
	{ "lt x >5", "lt|x|", "5", false },
	{ "lt -n >x", "lt|-n|", "x", false },
	{ "ev `linear/b:0`>0", "ev|`linear/b:0`|", "0", false },
	{ "lp -e=>5", "lp|-e=>5|", NULL, false },
	{ ">out.txt", "", "out.txt", false },
	{ "> out.txt", "", "out.txt", false },
	/* Ours: quoted words are no redirections. */
	{ "lt -n \"x > 1\"", "lt|-n|x > 1|", NULL, false },
	{ "ev \"`a:0` > 0\"", "ev|`a:0` > 0|", NULL, false },
	{ "lt \">\" x", "lt|>|x|", NULL, false },
	{ "lt -n \">\"", "lt|-n|>|", NULL, false },
	{ "\">f\"", "\">f\"|", NULL, false },
	/* Ours: \\xHH in $'...'. */
	{ "lt -n $'it\\x27s \"a b\"\\x5b \\\\x41\\d' x", "lt|-n|it's \"a b\"[ \\x41\\d|x|", NULL,
	  false },
	{ "lt -n $'>'", "lt|-n|>|", NULL, false },
	{ "lt -n $'\\x00\\x4'", "lt|-n|\\x00\\x4|", NULL, false },
	/* Ours: the expression of a filter is the rest of its line, unless it is in quotes. */
	{ "filter add big max > 50", "filter|add|big|max > 50|", NULL, false },
	{ "filter add big max>50", "filter|add|big|max>50|", NULL, false },
	{ "filter add b op ~ \"^Mat\" && bytes >> 4k | cat", "filter|add|b|op ~ \"^Mat\" && bytes "
	  ">> 4k | cat|", NULL, false },
	{ "filter add --save b max > 5  --session -o json ",
	  "filter|add|--save|b|max > 5|--session|-o|json|", NULL, false },
	{ "filter add b \"max > 5", "filter|add|b|\"max > 5|", NULL, false },
	{ "filter add b 'max > 5' --save > f", "filter|add|b|max > 5|--save|", "f", false },
	{ "filter add b nan --save > f", "filter|add|b|nan|--save|>|f|", NULL, false },
	{ "filter add b>5", "filter|add|b|", "5", false },
	{ "filter add b", "filter|add|b|", NULL, false },
	{ "filter remove b > f", "filter|remove|b|", "f", false },
	{ "filter > f", "filter|", "f", false },
	/* Ours: >> appends. */
	{ "lt >> out.txt", "lt|", "out.txt", true },
	{ "lt >>out.txt", "lt|", "out.txt", true },
	{ "lt \">>\" x", "lt|>>|x|", NULL, false },
	{ "lt -n a>>b", "lt|-n|a>>b|", NULL, false },
};

/* How each is written in a line. */
static const struct { const char *word, *text; } written[] = {
	{ "net/w:0", "net/w:0" },
	{ "net/w:0[1, 2, :]", "net/w:0[1, 2, :]" },
	{ "", "\"\"" },
	{ "a b", "\"a b\"" },
	{ "a>b", "\"a>b\"" },
	{ "a|b", "a|b" },
	{ "|", "\"|\"" },
	{ "a\xc2\xa0" "b", "\"a\xc2\xa0" "b\"" },
	{ "[[1, 2], 3]", "\"[[1, 2], 3]\"" },
	{ "it's", "\"it's\"" },
	{ "\"a\"", "'\"a\"'" },
	{ "a \"b", "'a \"b'" },
	{ "it's \"a b\"", "$'it\\x27s \"a b\"'" },
	{ "\"'", "$'\"\\x27'" },
	{ "$'a'", "\"$'a'\"" },
	{ "a[b", "$'a\\x5bb'" },
	{ "a]b[", "$'a]b\\x5b'" },
	{ "a[b \\", "$'a\\x5bb \\\\'" },
	{ "a\\d b", "\"a\\d b\"" },
	{ "a\nb\t\x1b\x7f", "$'a\\x0ab\\x09\\x1b\\x7f'" },
};

START_TEST(words_are_read_back)
{
	struct arena mem = {0};
	struct str line = {0};
	struct words words;
	size_t n = ROWS(written);

	words_put(&line, written[_i].word);
	ck_assert_str_eq(str_text(&line), written[_i].text);
	str_reset(&line);
	str_puts(&line, "cmd");
	for (size_t i = 0; i < n; i++) { /* behind it all of them, the first blanks after it */
		str_putc(&line, ' ');
		words_put(&line, written[((size_t)_i + i) % n].word);
	}
	ck_assert(words_split(line.text, &mem, &words, NULL));
	ck_assert_uint_eq(words.len, n + 1);
	for (size_t i = 0; i < n; i++)
		ck_assert_str_eq(words.at[i + 1], written[((size_t)_i + i) % n].word);
	ck_assert_ptr_null(words.redirect);
	ck_assert_ptr_null(words.pipe);
	str_release(&line);
	arena_release(&mem);
}
END_TEST

START_TEST(line_becomes_words)
{
	struct arena mem = {0};
	struct words words;
	struct str list = {0};
	struct err err = {0};

	ck_assert(words_split(good[_i].line, &mem, &words, &err));
	for (size_t i = 0; i < words.len; i++)
		str_fmt(&list, "%s|", words.at[i]);
	ck_assert_str_eq(str_text(&list), good[_i].words);
	ck_assert_pstr_eq(words.redirect, good[_i].file);
	ck_assert_int_eq(words.append, good[_i].append);
	str_release(&list);
	arena_release(&mem);
}
END_TEST

START_TEST(quotes_are_remembered)
{
	struct arena mem = {0};
	struct words words;

	ck_assert(words_split("a \"b\" 'c d' e\"f\"", &mem, &words, NULL));
	ck_assert_uint_eq(words.len, 4);
	ck_assert(!words.quoted[0] && words.quoted[1] && words.quoted[2] && !words.quoted[3]);
	arena_release(&mem);
}
END_TEST

static const struct { const char *line; unsigned off; } no_file[] = {
	{ "lt >", 3 }, { "lt -n >", 6 }, { "lt>", 0 }, { "lt >>", 3 }, { "  >", 2 }, { "lt x>", 3 },
};

START_TEST(redirection_needs_a_file)
{
	struct arena mem = {0};
	struct words words = { .len = 77 };
	struct err err = {0};

	ck_assert(!words_split(no_file[_i].line, &mem, &words, &err));
	ck_assert_int_eq(err.code, ERR_SYNTAX);
	ck_assert_uint_eq(err.off, no_file[_i].off);
	ck_assert_str_eq(err.msg, "Redirect file path is empty");
	ck_assert_uint_eq(words.len, 77);
	arena_release(&mem);
}
END_TEST

#define MAX INT64_MAX
static const struct {
	const char *text;
	enum interval_unit unit;
	struct interval is;
} intervals[] = {
	{ "<=5", INTERVAL_SIZE, { 0, 5, false, true } },
	{ "<5", INTERVAL_SIZE, { 0, 5, false, false } },
	{ ">= 5", INTERVAL_SIZE, { 5, MAX, true, true } },
	{ " >5 ", INTERVAL_SIZE, { 5, MAX, false, true } },
	{ "[1,2]", INTERVAL_SIZE, { 1, 2, true, true } },
	{ "(1, 2]", INTERVAL_SIZE, { 1, 2, false, true } },
	{ "[1k,1.5M)", INTERVAL_SIZE, { 1024, 1572864, true, false } },
	{ "[0B,2GB]", INTERVAL_SIZE, { 0, 2147483648, true, true } },
	{ "<1e30G", INTERVAL_SIZE, { 0, MAX, false, false } },
	{ ">1.5us", INTERVAL_TIME, { 1, MAX, false, true } },
	{ "[1.5,2ms]", INTERVAL_TIME, { 1, 2000, true, true } },
	{ "<0.25s", INTERVAL_TIME, { 0, 250000, false, false } },
};

START_TEST(interval_is_read)
{
	struct interval got;
	struct err err = {0};

	ck_assert_msg(interval_parse(intervals[_i].text, intervals[_i].unit, &got, &err), "%s",
	              err.msg);
	ck_assert_int_eq(got.low, intervals[_i].is.low);
	ck_assert_int_eq(got.high, intervals[_i].is.high);
	ck_assert_int_eq(got.low_in, intervals[_i].is.low_in);
	ck_assert_int_eq(got.high_in, intervals[_i].is.high_in);
	ck_assert(interval_is(intervals[_i].text));
}
END_TEST

static const struct {
	const char *text;
	enum interval_unit unit;
	const char *msg;
} bad_intervals[] = {
	{ "<=x", INTERVAL_SIZE, "Invalid value string after <= in '<=x'" },
	{ "<", INTERVAL_TIME, "Invalid value string after < in '<'" },
	{ ">= ", INTERVAL_TIME, "Invalid value string after >= in '>='" },
	{ ">k", INTERVAL_SIZE, "Invalid value string after > in '>k'" },
	{ "5", INTERVAL_SIZE,
	  "Invalid interval format: 5. Valid formats are: [min, max], (min, max), <max, >min" },
	{ "", INTERVAL_SIZE,
	  "Invalid interval format: . Valid formats are: [min, max], (min, max), <max, >min" },
	{ "[", INTERVAL_SIZE,
	  "Invalid interval format: [. Valid formats are: [min, max], (min, max), <max, >min" },
	{ "[1,2,3]", INTERVAL_SIZE,
	  "Incorrect interval format: [1,2,3]. Interval should specify two values: "
	  "[min, max] or (min, max)." },
	{ "[a, 2]", INTERVAL_SIZE, "Invalid first item in interval: 'a'" },
	{ "[1, b]", INTERVAL_SIZE, "Invalid second item in interval: 'b'" },
	{ "[2,1]", INTERVAL_SIZE,
	  "Invalid interval [2,1]. Start of interval must be less than or equal to end of "
	  "interval." },
	{ "[2,1]", INTERVAL_TIME, "Invalid interval [2,1]. Start must be before end of interval." },
	{ ">1.5", INTERVAL_SIZE, "Failed to parsed human-readable byte size str: \"1.5\"" },
	{ ">1K", INTERVAL_SIZE, "Failed to parsed human-readable byte size str: \"1K\"" },
	{ ">1xk", INTERVAL_SIZE, "could not convert string to float: '1x'" },
	{ ">-1ms", INTERVAL_TIME, "Invalid time -1. Time value must be positive." },
};

START_TEST(bad_interval_is_refused)
{
	struct interval got;
	struct err err = {0};

	ck_assert(!interval_parse(bad_intervals[_i].text, bad_intervals[_i].unit, &got, &err));
	ck_assert_int_eq(err.code, ERR_VALUE);
	ck_assert_str_eq(err.msg, bad_intervals[_i].msg);
}
END_TEST

START_TEST(interval_holds_its_ends)
{
	struct interval below, closed, above;

	ck_assert(interval_parse("<100", INTERVAL_TIME, &below, NULL));
	ck_assert(!interval_holds(&below, 0) && interval_holds(&below, 1) &&
	          !interval_holds(&below, 100));
	ck_assert(interval_parse("[1,3]", INTERVAL_TIME, &closed, NULL));
	ck_assert(!interval_holds(&closed, 0) && interval_holds(&closed, 1) &&
	          interval_holds(&closed, 3) && !interval_holds(&closed, 4));
	ck_assert(interval_parse(">3", INTERVAL_TIME, &above, NULL));
	ck_assert(!interval_holds(&above, 3) && interval_holds(&above, INT64_MAX));
}
END_TEST

/* name: a slice and which of several behind it; node: the line that its node answers. */
static const struct {
	const char *line;
	enum link_kind kind;
	bool for_detail;
	const char *name, *node;
} links[] = {
	{ "pt a/b:0[1, :] -n 2 -D 'GPU 0'", LINK_TENSOR, true, "a/b:0[1, :] -n 2 -D \"GPU 0\"",
	  "ni -a -d -t a/b -D \"GPU 0\"" },
	{ "grid 'a b:1'", LINK_TENSOR, false, "a b:1", "ni -a -d -t \"a b\"" },
	{ "ni -a -d -t a/b", LINK_NODE, true, "a/b", "ni -a -d -t a/b" },
	{ "li -c -r a/b:0", LINK_NODE, false, "a/b:0", "ni -a -d -t a/b" },
	{ "explain a/b", LINK_NODE, false, "a/b", "ni -a -d -t a/b" },
	{ "explain a/b:0", LINK_TENSOR, false, "a/b:0", "ni -a -d -t a/b" },
	{ "diff a/b:0 3", LINK_TENSOR, true, "a/b:0", "ni -a -d -t a/b" },
	{ "diff 3", LINK_RUN, true, "3", NULL },
	{ "run_info 3", LINK_RUN, true, "3", NULL },
	{ "ps /x/y.py -b 3", LINK_SOURCE, false, "/x/y.py", NULL },
	{ "run_info", LINK_NOTHING, false, NULL, NULL },
	{ "lt -n a/b", LINK_NOTHING, false, NULL, NULL },
	{ "pt", LINK_NOTHING, false, NULL, NULL },
	{ "nothing a/b:0", LINK_NOTHING, false, NULL, NULL },
};

START_TEST(links_say_what_they_are_about)
{
	struct link link = {0};
	struct str text = {0};

	ck_assert_int_eq(link_read(links[_i].line, &link), links[_i].kind != LINK_NOTHING);
	ck_assert_int_eq(link.kind, links[_i].kind);
	ck_assert_int_eq(link.for_detail, links[_i].for_detail);
	if (links[_i].name) {
		str_fmt(&text, "%s%s%s", link.name.text, str_text(&link.number),
		        str_text(&link.device));
		ck_assert_str_eq(text.text, links[_i].name);
	}
	if (links[_i].node) {
		str_reset(&text);
		link_put_node(&link, &text);
		ck_assert_str_eq(text.text, links[_i].node);
	}
	str_release(&text);
	link_release(&link);
}
END_TEST

static const struct { const char *typed, *name; bool is; } spelled[] = {
	{ "color", "color", true }, { "colour", "color", true }, { "colours", "colors", true },
	{ "gray", "gray", true }, { "grey", "gray", true }, { "colors", "colors", true },
	{ "colo", "color", false }, { "colou", "color", false }, { "colouur", "color", false },
	{ "colour", "colors", false }, { "colours", "color", false }, { "gry", "gray", false },
	{ "gruy", "gray", false }, { "color", "colour", false }, { "stept", "step", false },
	{ "stap", "step", false }, { "", "step", false }, { "hour", "hor", false },
};

START_TEST(both_spellings_are_one_word)
{
	const char *typed = spelled[_i].typed;

	ck_assert_int_eq(word_is(typed, strlen(typed), spelled[_i].name), spelled[_i].is);
}
END_TEST

SUITE_MAIN("words",
	tcase_add_loop_test(t, both_spellings_are_one_word, 0, ROWS(spelled));
	tcase_add_loop_test(t, links_say_what_they_are_about, 0, ROWS(links));
	tcase_add_loop_test(t, line_becomes_words, 0, ROWS(good));
	tcase_add_loop_test(t, words_are_read_back, 0, ROWS(written));
	tcase_add_test(t, quotes_are_remembered);
	tcase_add_loop_test(t, redirection_needs_a_file, 0, ROWS(no_file));
	tcase_add_loop_test(t, interval_is_read, 0, ROWS(intervals));
	tcase_add_loop_test(t, bad_interval_is_refused, 0, ROWS(bad_intervals));
	tcase_add_test(t, interval_holds_its_ends);
)
