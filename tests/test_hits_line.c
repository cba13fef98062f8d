#include "cmds/runs/hits_line.h"

#include <string.h>

#include "tests/suite.h"

enum { N = 20 };

/* Hits of run k, from 1; -1: not tested. */
static const struct {
	int hits[N];
	int n, cols;
	bool fine;
	const char *name, *line;
} lines[] = {
	{ { 0, 0, 20, -1, 10 }, 5, 80, false, "has_inf_or_nan", "nan/inf in runs 1-5 ..# +" },
	{ { 0, 0, 20, -1, 10 }, 5, 80, true, "has_inf_or_nan", "nan/inf in runs 1-5 ▁▁█ ▅" },
	/* little is more than nothing */
	{ { 1, 1000, 0 }, 3, 80, false, "big", "big in runs 1-3 :#." },
	{ { -1, -1 }, 2, 80, false, "big", "" },
	{ { 0 }, 1, 80, false, "big", "big in runs 1-1 ." },
	{ { 0 }, 0, 80, false, "big", "" },
	/* two runs a sign */
	{ { 0, -1, -1, -1, -1, 7, 0, 7 }, 8, 20, false, "big", "big in runs 1-8 . ##" },
	{ { 0, -1, -1, -1, -1, 7, 0, 7 }, 8, 21, false, "big", "big in runs 1-8 .  ##" },
	{ { 0, -1, -1, -1, -1, 7, 0, 7 }, 8, 19, false, "big", "" },
	{ { 0, 1 }, 2, 18, false, "big", "big in runs 1-2 .#" },
	{ { 0, 1 }, 2, 17, false, "big", "" },
	{ { 0, 1 }, 2, -5, false, "big", "" },
};

START_TEST(signs_tell_of_runs)
{
	struct hits *hits = hits_new();
	struct run_entry entries[N] = {{0}}, *runs[N];
	struct str out = {0};

	for (int i = 0; i < N; i++) {
		entries[i].position = (size_t)i + 1;
		runs[i] = &entries[i];
		if (i < lines[_i].n && lines[_i].hits[i] >= 0)
			hits_put(hits, &(struct hit){ .entry = runs[i], .filter = 7,
			                              .tensors = (uint64_t)lines[_i].hits[i] });
	}
	hits_put_line(hits, runs, (size_t)lines[_i].n, lines[_i].cols, lines[_i].fine, &out);
	ck_assert_str_eq(str_text(&out), "");
	hits_note_filter(hits, lines[_i].name, 7);
	hits_put_line(hits, runs, (size_t)lines[_i].n, lines[_i].cols, lines[_i].fine, &out);
	ck_assert_str_eq(str_text(&out), lines[_i].line);
	str_release(&out);
	hits_free(hits);
}
END_TEST

SUITE_MAIN("hits_line",
	tcase_add_loop_test(t, signs_tell_of_runs, 0, ROWS(lines));)
