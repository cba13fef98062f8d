/*
 * Recorded answers of the profile commands: every testdata/profile/MODEL/kernels/NN.cmd is a
 * command with its answer as text at 80 columns (NN.out) and as JSON (NN.json, where numbers may
 * differ by 0.001); every MODEL/timelines/timeline.WORDS.json is what TensorFlow's timeline made
 * of the step, also with gzip.
 */
#include "tests/suite.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <zlib.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/program.h"

static glob_t commands, timelines;

/* JSON as a list of leaves: ".rows[2].name" and what is written there. */

struct leaf {
	char *path;
	const char *text;
	size_t len;
};

struct leaves {
	VEC(struct leaf) at;
	const char *next;        /* of what is being read */
	struct str path;
};

static void skip_blanks(struct leaves *l)
{
	l->next += strspn(l->next, " \n\r\t");
}

static size_t text_len(const char *text)
{
	size_t n = 1;

	while (text[n] && text[n] != '"')
		n += text[n] == '\\' ? 2 : 1;
	return n + 1;
}

static void read_json(struct leaves *l);

/* One member of an object or array, under its key or number. */
static void read_member(struct leaves *l, bool object, size_t n)
{
	size_t len = l->path.len, key_len;

	if (object) {
		key_len = text_len(l->next);
		str_putc(&l->path, '.');
		str_put(&l->path, l->next, key_len);
		l->next += key_len;
		skip_blanks(l);
		ck_assert_int_eq(*l->next++, ':');
	} else {
		str_fmt(&l->path, "[%zu]", n);
	}
	read_json(l);
	str_cut(&l->path, len);
}

static void add_leaf(struct leaves *l, size_t len)
{
	vec_push(&l->at, ((struct leaf){ strdup(str_text(&l->path)), l->next, len }));
	l->next += len;
}

static void read_json(struct leaves *l)
{
	bool object;

	skip_blanks(l);
	if (*l->next != '{' && *l->next != '[') {
		add_leaf(l, *l->next == '"' ? text_len(l->next) : strcspn(l->next, ",]} \n"));
		skip_blanks(l);
		return;
	}
	object = *l->next++ == '{';
	for (size_t n = 0; skip_blanks(l), *l->next != '}' && *l->next != ']'; n++) {
		ck_assert_msg(*l->next, "the JSON ends early");
		read_member(l, object, n);
		l->next += *l->next == ',';
	}
	add_leaf(l, 1);
	skip_blanks(l);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct leaf *)a)->path, ((const struct leaf *)b)->path);
}

static void leaves_of(const char *text, struct leaves *out)
{
	*out = (struct leaves){ .next = text };
	read_json(out);
	ck_assert_str_eq(out->next, "");
	qsort(out->at.at, out->at.len, sizeof *out->at.at, by_path);
}

static void leaves_release(struct leaves *l)
{
	for (size_t i = 0; i < l->at.len; i++)
		free(l->at.at[i].path);
	vec_release(&l->at);
	str_release(&l->path);
}

static bool is_number(const char *text)
{
	return strchr("-0123456789", *text) != NULL;
}

static bool same_leaf(const struct leaf *a, const struct leaf *b, double within)
{
	if (strcmp(a->path, b->path) != 0)
		return false;
	if (is_number(a->text) && is_number(b->text))
		return fabs(strtod(a->text, NULL) - strtod(b->text, NULL)) <= within;
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static void check_json(const char *what, const char *got, const char *want, double within)
{
	struct leaves a, b;

	leaves_of(got, &a);
	leaves_of(want, &b);
	for (size_t i = 0; i < a.at.len && i < b.at.len; i++)
		ck_assert_msg(same_leaf(&a.at.at[i], &b.at.at[i], within),
		              "%s: %s: %.60s\nfor\n%s: %.60s", what, a.at.at[i].path,
		              a.at.at[i].text, b.at.at[i].path, b.at.at[i].text);
	ck_assert_uint_eq(a.at.len, b.at.len);
	leaves_release(&a);
	leaves_release(&b);
}

/* The model of a recording, MODEL/PART/FILE: its directory, absolute. */
static void model_of(const char *path, char *model)
{
	ck_assert_ptr_nonnull(realpath(path, model));
	for (int i = 0; i < 2; i++)
		*strrchr(model, '/') = '\0';
}

static void ask(const char *model, const char *command, const char *format,
                struct program_run *ran)
{
	const char *const argv[] = {
		program_path(), "-c", command, format, "--width=80", "--graph=graph.pb",
		"--op-log=op_log.pb", "--run-metadata=run_metadata.pb", NULL,
	};

	program_run(argv, model, NULL, ran);
}

static void read_beside(const char *path, const char *ending, struct str *out)
{
	struct str name = {0};

	str_put(&name, path, strlen(path) - strlen(".cmd"));
	str_puts(&name, ending);
	ck_assert_msg(read_whole(name.text, out), "%s", name.text);
	str_release(&name);
}

START_TEST(answers_as_recorded)
{
	const char *path = commands.gl_pathv[_i];
	struct str command = {0}, want = {0};
	struct program_run ran;
	char model[PATH_MAX];

	model_of(path, model);
	read_beside(path, ".cmd", &command);
	str_cut(&command, strcspn(command.text, "\n"));
	read_beside(path, ".out", &want);
	ask(model, command.text, "--format=text", &ran);
	ck_assert_msg(!strcmp(str_text(&ran.out), str_text(&want)),
	              "%s: %s: printed\n%.1500s\nfor\n%.1500s", path, command.text,
	              str_text(&ran.out), str_text(&want));
	program_release(&ran);
	str_reset(&want);
	read_beside(path, ".json", &want);
	ask(model, command.text, "--format=json", &ran);
	check_json(path, str_text(&ran.out), str_text(&want), 0.001);
	program_release(&ran);
	str_release(&command);
	str_release(&want);
}
END_TEST

/* Of a recording, with gzip or without. */
static void read_timeline(const char *path, struct str *out)
{
	gzFile file = gzopen(path, "rb");
	char piece[4096];
	int n;

	ck_assert_ptr_nonnull(file);
	while ((n = gzread(file, piece, sizeof piece)) > 0)
		str_put(out, piece, (size_t)n);
	ck_assert_int_eq(gzclose(file), Z_OK);
	ck_assert_uint_gt(out->len, 0);
}

static const struct { const char *word, *option; } timeline_words[] = {
	{ ".noflow", " --no-flow" }, { ".memory", " --memory" }, { ".all", " --op-time all" },
	{ ".gpu", " --op-time gpu" },
};

START_TEST(timelines_are_tensorflows)
{
	const char *path = timelines.gl_pathv[_i];
	struct str command = {0}, steps = {0}, want = {0}, got = {0}, made = {0};
	char model[PATH_MAX], *dir = scratch_new();
	struct program_run ran;

	model_of(path, model);
	str_puts(&command, "timeline -o made.json");
	for (size_t i = 0; i < ROWS(timeline_words); i++)
		if (strstr(path, timeline_words[i].word))
			str_puts(&command, timeline_words[i].option);
	str_fmt(&steps, "--run-metadata=%s/run_metadata.pb", model);
	program_run((const char *const[]){ program_path(), "-c", command.text, steps.text, NULL },
	            dir, NULL, &ran);
	ck_assert_msg(!ran.status, "%s", str_text(&ran.err));
	str_fmt(&made, "%s/made.json", dir);
	ck_assert(read_whole(made.text, &got));
	read_timeline(path, &want);
	check_json(path, got.text, want.text, 0);        /* says where they differ */
	ck_assert(!strcmp(got.text, want.text));
	program_release(&ran);
	str_release(&command);
	str_release(&steps);
	str_release(&want);
	str_release(&got);
	str_release(&made);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("kernels_golden",
	glob("testdata/profile/*/kernels/*.cmd", 0, NULL, &commands);
	glob("testdata/profile/*/timelines/timeline.*", 0, NULL, &timelines);
	tcase_add_loop_test(t, answers_as_recorded, 0, (int)commands.gl_pathc);
	tcase_add_loop_test(t, timelines_are_tensorflows, 0, (int)timelines.gl_pathc);
)
