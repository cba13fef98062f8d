/*
 * A screen is never the only way to see something: every kind of body that a command can make is
 * also text, JSON and CSV in batch mode. The kinds are read from the sources, so that a new one
 * without a line here fails; every command has its line in test_typed.c.
 */
#include "tests/suite.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "cmds/doc/doc.h"
#include "cmds/session/shell.h"
#include "dump/base/str.h"
#include "tests/program.h"
#include "tests/small_dump.h"

#define DUMP "testdata/linear"
#define PROFILE "testdata/profile/linear"

static const struct { const char *kind, *line, *path; } samples[] = {
	{ "array", "pt linear/pred:0", DUMP }, { "graph", "graph linear/pred", DUMP },
	{ "grid", "grid linear/pred:0", DUMP }, { "lanes", "timeline", PROFILE },
	{ "picture", "picture linear/pred:0", DUMP }, { "table", "lt", DUMP },
	{ "tfprof", "tfprof scope", PROFILE }, { "tree", "li -r linear/pred", DUMP },
};
enum { N_SAMPLES = ROWS(samples) };

/* The names in the rows "struct body_kind NAME = { .name = "array", ..." of a source file. */
static void kinds_in(const char *path, struct str *out)
{
	static const char name[] = ".name = \"";
	struct str text = {0};
	const char *at;

	ck_assert(read_whole(path, &text));
	at = str_text(&text);
	while ((at = strstr(at, "static const struct body_kind ")) && (at = strstr(at, name))) {
		at += strlen(name);
		str_fmt(out, "%.*s ", (int)strcspn(at, "\""), at);
	}
	str_release(&text);
}

START_TEST(every_kind_has_a_sample)
{
	struct str kinds = {0};
	glob_t files;
	size_t n = 0;

	ck_assert_int_eq(glob("cmds/*/*.c", 0, NULL, &files), 0);
	ck_assert_int_eq(glob("cmds/*/*/*.c", GLOB_APPEND, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		kinds_in(files.gl_pathv[i], &kinds);
	globfree(&files);
	for (const char *at = str_text(&kinds); *at; at += strcspn(at, " ") + 1, n++) {
		size_t i = 0, len = strcspn(at, " ");

		while (i < N_SAMPLES && (strlen(samples[i].kind) != len ||
		                         strncmp(samples[i].kind, at, len)))
			i++;
		ck_assert_msg(i < N_SAMPLES, "no sample of the kind of body %.*s", (int)len, at);
	}
	ck_assert_uint_ge(n, 5);
	str_release(&kinds);
}
END_TEST

/* The kind is what the sample says, and nothing is needed but the document to show it. */
START_TEST(samples_make_their_kind)
{
	struct shell *shell = session_of(samples[_i].path);
	struct answer answer;
	struct body *body;
	struct str text = {0};

	shell_run(shell, samples[_i].line, 0, NULL, &answer);
	ck_assert_ptr_nonnull(answer.doc);
	body = doc_get_body(answer.doc);
	ck_assert_ptr_nonnull(body);
	ck_assert_str_eq(body->kind->name, samples[_i].kind);
	answer_release(&answer);
	ck_assert(session_ask(shell, samples[_i].line, &text));
	ck_assert_uint_gt(text.len, 0);
	str_release(&text);
	shell_free(shell);
}
END_TEST

static const char *const formats[] = { "text", "json", "csv" };

START_TEST(samples_have_batch_twins)
{
	const char *format = formats[_i % 3];
	struct str option = {0};
	struct program_run ran;

	str_fmt(&option, "--format=%s", format);
	program_run((const char *[]){ program_path(), "-c", samples[_i / 3].line, option.text,
	                              samples[_i / 3].path, NULL }, NULL, NULL, &ran);
	ck_assert_msg(ran.status == 0, "%s: %s", samples[_i / 3].line, str_text(&ran.err));
	ck_assert_uint_gt(ran.out.len, 1);
	ck_assert_uint_eq(unsafe_at(ran.out.text, ran.out.len, _i % 3 != 0), ran.out.len);
	if (!strcmp(format, "json"))
		ck_assert(ran.out.text[0] == '{' && !strstr(ran.out.text, "\"line\":"));
	program_release(&ran);
	str_release(&option);
}
END_TEST

SUITE_MAIN("views",
	tcase_add_test(t, every_kind_has_a_sample);
	tcase_add_loop_test(t, samples_make_their_kind, 0, N_SAMPLES);
	tcase_add_loop_test(t, samples_have_batch_twins, 0, N_SAMPLES * 3);
)
