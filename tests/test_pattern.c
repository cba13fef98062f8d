/* Patterns against what Python 3.11's re says of them. */
#include <string.h>

#include "cmds/lang/pattern.h"
#include "dump/base/str.h"
#include "tests/suite.h"

static const struct { const char *pattern, *msg; } bad[] = {
	{ "(", "missing ), unterminated subpattern at position 0" },
	{ "((", "missing ), unterminated subpattern at position 1" },
	{ "\xc3\xa9(", "missing ), unterminated subpattern at position 1" },
	{ "a)", "unbalanced parenthesis at position 1" },
	{ "[", "unterminated character set at position 0" },
	{ "[]", "unterminated character set at position 0" },
	{ "[^]", "unterminated character set at position 0" },
	{ "[a-", "unterminated character set at position 0" },
	{ "[z-a]", "bad character range z-a at position 1" },
	{ "[\\d-z]", "bad character range \\d-z at position 1" },
	{ "[\\q]", "bad escape \\q at position 1" },
	{ "[\\8]", "bad escape \\8 at position 1" },
	{ "*", "nothing to repeat at position 0" },
	{ "(*UTF)", "nothing to repeat at position 1" },
	{ "^*", "nothing to repeat at position 1" },
	{ "a|*", "nothing to repeat at position 2" },
	{ "{2}", "nothing to repeat at position 0" },
	{ "a**", "multiple repeat at position 2" },
	{ "a{1,2}{3}", "multiple repeat at position 6" },
	{ "a{3,2}", "min repeat greater than max repeat at position 2" },
	{ "\\", "bad escape (end of pattern) at position 0" },
	{ "\\q", "bad escape \\q at position 0" },
	{ "a\\Qb", "bad escape \\Q at position 1" },
	{ "\\C", "bad escape \\C at position 0" },
	{ "\\x1", "incomplete escape \\x1 at position 0" },
	{ "\\u12", "incomplete escape \\u12 at position 0" },
	{ "\\U00110000", "bad escape \\U00110000 at position 0" },
	{ "\\400", "octal escape value \\400 outside of range 0-0o377 at position 0" },
	{ "\\1", "invalid group reference 1 at position 1" },
	{ "(a\\1)", "cannot refer to an open group at position 2" },
	{ "a(?P<x", "missing >, unterminated name at position 5" },
	{ "(?P<>x)", "missing group name at position 4" },
	{ "(?P<1a>x)", "bad character in group name '1a' at position 4" },
	{ "(?P=x)", "unknown group name 'x' at position 4" },
	{ "(?P<a>x)(?P<a>y)",
	  "redefinition of group name 'a' as group 2; was group 1 at position 12" },
	{ "(?P>a)", "unknown extension ?P> at position 1" },
	{ "(?<z", "unknown extension ?<z at position 1" },
	{ "(?R)", "unknown extension ?R at position 1" },
	{ "(?", "unexpected end of pattern at position 2" },
	{ "(?#ab", "missing ), unterminated comment at position 0" },
	{ "(?i", "missing -, : or ) at position 3" },
	{ "(?iz)", "unknown flag at position 3" },
	{ "(?i-:a)", "missing flag at position 4" },
	{ "(?-i)", "missing : at position 4" },
	{ "(?i-i:a)", "bad inline flags: flag turned on and off at position 5" },
	{ "(?L)", "bad inline flags: cannot use 'L' flag with a str pattern at position 3" },
	{ "(?au)", "bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 4" },
	{ "(?-a:x)", "bad inline flags: cannot turn off flags 'a', 'u' and 'L' at position 4" },
	{ "(?(1)a|b)", "invalid group reference 1 at position 3" },
	{ "(?(0)b)", "bad group number at position 3" },
	{ "(a)(?(1)b|c|d)", "conditional backref with more than two branches at position 11" },
	{ "(?<=a*)b", "look-behind requires fixed-width pattern" },
	{ "\xff", "the pattern is not UTF-8" },
};

START_TEST(broken_pattern_is_refused_in_pythons_words)
{
	struct err err = {0};

	ck_assert_ptr_null(pattern_new(bad[_i].pattern, PATTERN_MATCH, false, &err));
	ck_assert_int_eq(err.code, ERR_REGEX);
	ck_assert_str_eq(err.msg, bad[_i].msg);
}
END_TEST

/* begin -1: no hit. */
static const struct {
	const char *pattern;
	enum pattern_use use;
	const char *text;
	int begin, end;
} hits[] = {
	{ "", PATTERN_MATCH, "abc", 0, 0 },
	{ "b", PATTERN_MATCH, "abc", -1, 0 },
	{ "b", PATTERN_SEARCH, "abc", 1, 2 },
	{ "a|b", PATTERN_MATCH, "ba", 0, 1 },
	{ ".*/block_7/.*", PATTERN_MATCH, "net/block_7/w", 0, 13 },
	{ "MatMul", PATTERN_MATCH, "matmul", -1, 0 },
	{ "(?i)MatMul", PATTERN_MATCH, "matmul", 0, 6 },
	{ "(?i:M)at", PATTERN_MATCH, "mat", 0, 3 },
	{ "(?s-i:.)x", PATTERN_MATCH, "\nx", 0, 2 },
	{ "a$", PATTERN_MATCH, "a\n", 0, 1 },
	{ "a\\Z", PATTERN_MATCH, "a\n", -1, 0 },
	{ "a{,2}b", PATTERN_MATCH, "aab", 0, 3 },
	{ "a{,2}b", PATTERN_MATCH, "aaab", -1, 0 },
	{ "a{,}", PATTERN_MATCH, "aaa", 0, 3 },
	{ "x{a}{}", PATTERN_MATCH, "x{a}{}", 0, 6 },
	{ "a++b", PATTERN_MATCH, "aab", 0, 3 },
	{ "\\x61\\u00e9\\141", PATTERN_MATCH, "a\xc3\xa9" "a", 0, 4 },
	{ "a\\vb", PATTERN_MATCH, "a\nb", -1, 0 },
	{ "a\\vb", PATTERN_MATCH, "a\vb", 0, 3 },
	{ "[[:alpha:]]", PATTERN_MATCH, "a]", 0, 2 },
	{ "[[:alpha:]]", PATTERN_MATCH, "b]", -1, 0 },
	{ "[]a-]+", PATTERN_MATCH, "-]a", 0, 3 },
	{ "[\\b]", PATTERN_MATCH, "\b", 0, 1 },
	{ "(?P<n>a|b)(?P=n)", PATTERN_MATCH, "bb", 0, 2 },
	{ "(a)?(?(1)b|c)", PATTERN_MATCH, "c", 0, 1 },
	{ "(a)\\1", PATTERN_MATCH, "aa", 0, 2 },
	{ "(?x: a b # c )\n c)", PATTERN_MATCH, "abc", 0, 3 },
	{ "a(?#comment)*", PATTERN_MATCH, "aa", 0, 2 },
	{ "\\w+", PATTERN_MATCH, "a\xc3\xa9!", 0, 3 },
	{ "(?a)\\w+", PATTERN_MATCH, "a\xc3\xa9!", 0, 1 },
	{ "(?a)\\D", PATTERN_MATCH, "\xc3\xa9", 0, 2 },
	{ "(?<=a)b", PATTERN_SEARCH, "cab", 2, 3 },
	{ "a.c", PATTERN_SEARCH, "\xff" "abc\xfe", 1, 4 },
	{ ".", PATTERN_SEARCH, "\xff\xfe", -1, 0 },
	{ "a", PATTERN_MATCH, "a\xff", 0, 1 },
};

START_TEST(pattern_finds_what_python_finds)
{
	struct err err = {0};
	struct pattern *pattern = pattern_new(hits[_i].pattern, hits[_i].use, false, &err);
	size_t begin = 0, end = 0;
	bool hit;

	ck_assert_msg(pattern != NULL, "%s", err.msg);
	hit = pattern_hits(pattern, hits[_i].text, strlen(hits[_i].text), 0, &begin, &end);
	ck_assert_int_eq(hit, hits[_i].begin >= 0);
	if (hit) {
		ck_assert_int_eq((int)begin, hits[_i].begin);
		ck_assert_int_eq((int)end, hits[_i].end);
	}
	ck_assert(!pattern_gave_up(pattern));
	pattern_free(pattern);
}
END_TEST

START_TEST(search_goes_on_after_a_hit)
{
	static const char text[] = "a1\xc3\xa9" "a22\xff" "a3";
	static const size_t begins[] = { 1, 5, 9 };
	struct pattern *pattern = pattern_new("\\d+", PATTERN_SEARCH, true, NULL);
	size_t from = 0, begin, n = 0;

	while (pattern_hits(pattern, text, sizeof text - 1, from, &begin, &from)) {
		ck_assert_uint_lt(n, 3);
		ck_assert_uint_eq(begin, begins[n++]);
	}
	ck_assert_uint_eq(n, 3);
	ck_assert(!pattern_hits(pattern, text, 2, 3, NULL, NULL));
	pattern_free(pattern);
}
END_TEST

START_TEST(search_may_start_inside_a_character)
{
	struct pattern *pattern = pattern_new("a", PATTERN_SEARCH, false, NULL);
	size_t begin;

	ck_assert(pattern_hits(pattern, "\xc3\xa9" "a", 3, 1, &begin, NULL));
	ck_assert_uint_eq(begin, 2);
	ck_assert(!pattern_gave_up(pattern));
	pattern_free(pattern);
}
END_TEST

START_TEST(case_is_ignored_when_asked)
{
	struct pattern *pattern = pattern_new("matmul", PATTERN_SEARCH, true, NULL);

	ck_assert(pattern_hits(pattern, "x/MatMul", 8, 0, NULL, NULL));
	pattern_free(pattern);
}
END_TEST

START_TEST(slow_pattern_gives_up)
{
	struct pattern *pattern = pattern_new("(a+)+$", PATTERN_MATCH, false, NULL);
	struct str text = {0};

	str_fill(&text, 'a', 40);
	str_putc(&text, 'b');
	ck_assert(!pattern_hits(pattern, text.text, text.len, 0, NULL, NULL));
	ck_assert(pattern_gave_up(pattern));
	ck_assert(!pattern_hits(pattern, "a", 1, 0, NULL, NULL));
	str_release(&text);
	pattern_free(pattern);
}
END_TEST

/* In the cube of the name's length: Python takes 30 ms for that. */
START_TEST(a_cubic_pattern_goes_on)
{
	struct pattern *pattern = pattern_new(".*[^/]{0,}(?i:A){,2}(?s:.)*[]a]", PATTERN_MATCH,
	                                      false, NULL);
	struct str text = {0};

	str_fill(&text, 'n', 200);
	ck_assert(!pattern_hits(pattern, text.text, text.len, 0, NULL, NULL));
	ck_assert(!pattern_gave_up(pattern));
	str_release(&text);
	pattern_free(pattern);
}
END_TEST

static const struct {
	char c;
	size_t n;
} large[] = {
	{ '(', 4000 }, { 'a', 4097 }, { '[', 100000 },
};

START_TEST(large_pattern_is_refused)
{
	struct str text = {0};
	struct err err = {0};

	str_fill(&text, large[_i].c, large[_i].n);
	ck_assert_ptr_null(pattern_new(text.text, PATTERN_MATCH, false, &err));
	ck_assert_int_eq(err.code, ERR_REGEX);
	str_release(&text);
}
END_TEST

START_TEST(deep_pattern_is_refused)
{
	struct str text = {0};
	struct err err = {0};

	str_fill(&text, '(', 2000);
	str_fill(&text, ')', 2000);
	ck_assert_ptr_null(pattern_new(text.text, PATTERN_MATCH, false, &err));
	ck_assert_int_eq(err.code, ERR_REGEX);
	str_release(&text);
}
END_TEST

SUITE_MAIN("pattern",
	tcase_add_loop_test(t, broken_pattern_is_refused_in_pythons_words, 0, ROWS(bad));
	tcase_add_loop_test(t, pattern_finds_what_python_finds, 0, ROWS(hits));
	tcase_add_test(t, search_goes_on_after_a_hit);
	tcase_add_test(t, search_may_start_inside_a_character);
	tcase_add_test(t, case_is_ignored_when_asked);
	tcase_add_test(t, slow_pattern_gives_up);
	tcase_add_test(t, a_cubic_pattern_goes_on);
	tcase_add_loop_test(t, large_pattern_is_refused, 0, ROWS(large));
	tcase_add_test(t, deep_pattern_is_refused);
)
