#include "tests/on_screen.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/*
 * The screens of the real tfdbg, where the recordings lie beside the checkout: the same keys, the
 * same text. What was mended since is let through row by row.
 */
static const char *const recorded[] = { "offline-80x24", "offline-120x40", "offline-60x12",
                                        "edge-80x24", "edge-120x40",
                                        "edge-60x12" };
#define RECORDINGS "../shared/corpus/screens"

/* Screens that differ by intention, by the number they begin with. */
static const char *const mended[] = {
	/* on top is the row with the element or its "...", not the last one; before it, End */
	"offline-80x24 010", "offline-80x24 011", "offline-60x12 010",
	"offline 022", "offline 023",    /* run_info and run exist */
	"offline 025",                   /* Tab knows the nodes */
	/* slow clicks on the track count */
	"offline 026", "offline 027", "offline 028", "offline 029", "offline 030",
	"edge 004", "edge 005",          /* resize: the same line stays on top */
	"edge 011", "edge 012",          /* input outside ASCII */
	"offline 031",                   /* the button is held for a second */
	"offline 024", /* below run's answer; candidates that don't fit are counted */
	"edge 014", "edge 015",          /* no end at 220 columns */
	/* stray cells */
	"edge-60x12 007", "edge-60x12 008", "edge-60x12 009", "edge-60x12 010", "edge-60x12 013",
};

struct recording {
	char *text;              /* of the file, cut into lines */
	const char *keys;
	VEC(const char *) rows;
};

static void read_recording(const char *path, struct recording *r)
{
	struct str file = {0};

	ck_assert(read_whole(path, &file));
	r->text = file.text;
	for (char *line = r->text, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "# keys ", 7))
			r->keys = line + 7;
		else if (line[0] == '|')
			vec_push(&r->rows, line + 1);
	}
}

static void replay(struct terminal *t, const char *keys)
{
	while (*keys) {
		size_t len = keys[0] == '"' ? strcspn(keys + 1, "\"") + 2 : strcspn(keys, " ");
		char *word = keys[0] == '"' ? mem_copy(keys + 1, len - 2) : mem_copy(keys, len);

		if (keys[0] == '"')
			terminal_type(t, word);
		else
			press_named(t, word);
		free(word);
		keys += len;
		keys += strspn(keys, " ");
	}
}

/* Theirs is ours and an end of a scroll bar. */
static bool has_bar_end(const char *theirs, const char *ours)
{
	size_t len = strlen(theirs), ours_len = strlen(ours);

	if (len < 2 || (strcmp(theirs + len - 2, "UP") && strcmp(theirs + len - 2, "DN")))
		return false;
	return ours_len <= len - 2 && !strncmp(theirs, ours, ours_len) &&
	       strspn(theirs + ours_len, " ") == len - 2 - ours_len;
}

/*
 * The same text, but for what was mended: no scroll bar where all shows, a badge covers no text, a
 * toast owns its row, the title follows the size.
 */
static bool row_agrees(const char *theirs, const char *ours, int row)
{
	size_t badge = theirs[0] == '@' ? strcspn(theirs, "]") + 2 : 0;

	if (row == 0)
		return !strncmp(ours, "--- tfdbg offline @ single ---", 22);
	if (!strncmp(theirs, "--- Scroll (PgDn): 0.00%", 24) && !strstr(ours, "Scroll"))
		return strlen(theirs) == strlen(ours) && !strcmp(theirs + 40, ours + 40);
	if (has_bar_end(theirs, ours))
		return true;
	if (badge && strlen(ours) >= badge && strlen(theirs) >= badge)
		return !strcmp(theirs + badge, ours + badge);
	if (!strncmp(theirs, "ERROR: ", 7) || !strncmp(theirs, "Pattern not", 11))
		return !strncmp(ours, theirs, strcspn(ours, " ") + 6);
	return !strcmp(theirs, ours);
}

static bool agrees(struct terminal *t, const void *ctx)
{
	const struct recording *r = ctx;
	int rows, cols;

	terminal_size(t, &rows, &cols);
	for (int row = 0; row < rows && (size_t)row < r->rows.len; row++)
		if (!row_agrees(r->rows.at[row], terminal_row(t, row), row))
			return false;
	return true;
}

static bool is_mended(const char *folder, const char *name)
{
	for (size_t i = 0; i < ROWS(mended); i++)
		if (!strncmp(folder, mended[i], strcspn(mended[i], " ")) &&
		    !strncmp(name, mended[i] + strcspn(mended[i], " ") + 1, 3))
			return true;
	return false;
}

static int only_screens(const struct dirent *entry)
{
	return strstr(entry->d_name, ".screen") != NULL && !strstr(entry->d_name, "-after-exit") &&
	       !strstr(entry->d_name, "-after-quit");
}

START_TEST(replays_recorded_screens)
{
	struct str path = {0};
	struct dirent **files;
	struct terminal *t;
	int rows, cols, n, bad = 0;

	if (access(RECORDINGS, R_OK) != 0)
		return;
	ck_assert_int_eq(sscanf(strchr(recorded[_i], '-'), "-%dx%d", &cols, &rows), 2);
	t = start_in("../shared/corpus/runs", (const char *const[]){ "single", NULL }, NULL, rows,
	             cols);
	terminal_enter(t, "mouse on");
	str_fmt(&path, RECORDINGS "/%s", recorded[_i]);
	n = scandir(path.text, &files, only_screens, alphasort);
	for (int i = 0; i < n; i++) {
		struct recording r = {0};

		str_reset(&path);
		str_fmt(&path, RECORDINGS "/%s/%s", recorded[_i], files[i]->d_name);
		read_recording(path.text, &r);
		if (i)
			replay(t, r.keys);
		if (!is_mended(recorded[_i], files[i]->d_name) && !terminal_wait(t, agrees, &r)) {
			fprintf(stderr, "not as %s\n", path.text);
			bad++;
		}
		free(r.text);
		vec_release(&r.rows);
		free(files[i]);
	}
	free(files);
	str_release(&path);
	ck_assert_int_eq(bad, 0);
	terminal_free(t);
}
END_TEST

SUITE_MAIN("screen_recorded",
	setenv("LC_ALL", "C.UTF-8", 1);
	tcase_add_checked_fixture(t, make_home, remove_home);
	tcase_add_loop_test(t, replays_recorded_screens, 0, ROWS(recorded));
)
