/* Every link of an answer is a line that is read back, whatever the names in it hold. */
#include "tests/suite.h"

#include <string.h>

#include "dump/base/vec.h"
#include "tests/made_step.h"
#include "tests/program.h"
#include "tests/small_dump.h"

/* A node of each kind of name, in a scope of its own. */
static const char *const names[] = {
	"a b", "s t/it's \"a b\"", "x[y z", "q\"r/n", "m>n", "k|l", "back\\slash d",
};
enum { N_NAMES = ROWS(names) };

static char *make_step(void)
{
	struct making m = {0};
	char *dir = scratch_new();

	made_lane(&m, "/cpu:0");
	for (int i = 0; i < N_NAMES; i++)
		made_record(&m, names[i], 10 * i + 1, 7, "n = Add(x, y)");
	made_save(&m, dir, "run_metadata.pb");
	return dir;
}

static void ask(const char *dir, const char *format, const char *line, struct program_run *ran)
{
	program_run((const char *const[]){ program_path(), format, "-c", line, dir, NULL }, NULL,
	            NULL, ran);
}

/* The commands of the links in an answer in doc format, each once. */
static void find_links(const char *answer, struct str *out)
{
	for (const char *at = answer; (at = strstr(at, " link:")); ) {
		size_t len;

		at += strlen(" link:");
		len = strcspn(at, "\n");
		if (len > strlen("|bold") &&
		    !strncmp(at + len - strlen("|bold"), "|bold", strlen("|bold")))
			continue;                /* a heading: it sorts */
		str_put(out, at, len);
		str_putc(out, '\n');
	}
}

static const struct { const char *line; size_t least; } screens[] = {
	{ "kernels -g op -u host", N_NAMES },
	{ "scopes", 2 },
	{ "scopes --depth 3", 2 },
};

START_TEST(links_are_read_back)
{
	struct program_run ran, followed;
	struct str links = {0};
	char *dir = make_step(), *next = NULL;
	size_t n = 0;

	ask(dir, "--format=doc", screens[_i].line, &ran);
	ck_assert_int_eq(ran.status, 0);
	find_links(str_text(&ran.out), &links);
	for (char *line = strtok_r(links.text, "\n", &next); line;
	     line = strtok_r(NULL, "\n", &next), n++) {
		ask(dir, "--format=text", line, &followed);
		ck_assert_msg(followed.status == 0 && !followed.err.len, "%s: %s%s", line,
		              str_text(&followed.out), str_text(&followed.err));
		ck_assert_msg(!strstr(str_text(&followed.out), ": 0 "), "%s: %s", line,
		              str_text(&followed.out));
		program_release(&followed);
	}
	ck_assert_uint_ge(n, screens[_i].least);
	str_release(&links);
	program_release(&ran);
	scratch_remove(dir);
}
END_TEST

SUITE_MAIN("links", tcase_add_loop_test(t, links_are_read_back, 0, ROWS(screens));)
