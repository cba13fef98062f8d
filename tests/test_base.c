/* The whole of dump/base but paths and listings; also with blocks of 64 bytes and tiny tables. */
#include "tests/suite.h"

#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/numbered.h"
#include "dump/base/progress.h"
#include "dump/base/signals.h"
#include "dump/base/str.h"
#include "dump/base/thread.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"

/* ---- arena */

static const size_t sizes[] = { 0, 1, 15, 16, 17, 63, 64, 65, 1000, 70000 };

START_TEST(arena_gives_zeroed_aligned_room)
{
	struct arena mem = {0};
	unsigned char *at[40];
	size_t n = ROWS(at), n_sizes = ROWS(sizes);

	for (size_t i = 0; i < n; i++) {
		size_t size = sizes[i * 7 % n_sizes];

		at[i] = arena_alloc(&mem, size);
		ck_assert_ptr_nonnull(at[i]);
		ck_assert_uint_eq((uintptr_t)at[i] % _Alignof(max_align_t), 0);
		for (size_t k = 0; k < size; k++)
			ck_assert_uint_eq(at[i][k], 0);
		memset(at[i], (int)i + 1, size);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizes[i * 7 % n_sizes]; k++)
			ck_assert_uint_eq(at[i][k], i + 1);
	ck_assert_uint_ge(mem.total_bytes, 4 * (70000 + 1000));
	arena_release(&mem);
	ck_assert_uint_eq(mem.total_bytes, 0);
	ck_assert_ptr_null(mem.head);
}
END_TEST

START_TEST(arena_formats_texts_of_any_length)
{
	struct arena mem = {0};

	ck_assert_str_eq(arena_fmt(&mem, "%s", ""), "");
	ck_assert_str_eq(arena_fmt(&mem, "%d of %s", 3, "four"), "3 of four");
	ck_assert_uint_eq(strlen(arena_fmt(&mem, "%*s", 100000, "")), 100000);
	arena_release(&mem);
}
END_TEST

START_TEST(arena_copies_text_without_padding)
{
	struct arena mem = {0};
	const char *copy[200];
	char text[8];

	for (size_t i = 0; i < 200; i++) {
		int n = snprintf(text, sizeof text, "n%zu", i);

		copy[i] = arena_copy(&mem, text, (size_t)n);
	}
	for (size_t i = 0; i < 200; i++) {
		snprintf(text, sizeof text, "n%zu", i);
		ck_assert_str_eq(copy[i], text);
	}
	ck_assert_str_eq(arena_copy(&mem, NULL, 0), "");
	ck_assert_uint_eq((uintptr_t)arena_alloc(&mem, 8) % _Alignof(max_align_t), 0);
	arena_release(&mem);
}
END_TEST

START_TEST(arena_try_may_say_no)
{
	struct arena mem = {0};

	ck_assert_ptr_null(arena_try(&mem, SIZE_MAX));
	ck_assert_ptr_null(arena_try(&mem, SIZE_MAX - 64));
	mem_fail_try(0);
	ck_assert_ptr_null(arena_try(&mem, 100000));
	ck_assert_ptr_nonnull(arena_try(&mem, 100000));
	mem_fail_try(-1);
	arena_release(&mem);
}
END_TEST

/* ---- mem */

START_TEST(mem_fails_when_told)
{
	void *a, *b;

	mem_fail_try(1);
	a = mem_try(1);
	b = mem_try(1);
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_null(b);
	free(a);
	a = mem_try(0);
	ck_assert_ptr_nonnull(a);
	free(a);
}
END_TEST

static void leave(size_t wanted_bytes)
{
	_Exit(wanted_bytes == SIZE_MAX / 2 ? 7 : 8);
}

START_TEST(mem_calls_the_hook)
{
	mem_on_empty(leave);
	free(mem_realloc(NULL, SIZE_MAX / 2));
}
END_TEST

START_TEST(mem_copy_ends_in_nul)
{
	char *copy = mem_copy("abcdef", 3);

	ck_assert_str_eq(copy, "abc");
	free(copy);
	copy = mem_copy(NULL, 0);
	ck_assert_str_eq(copy, "");
	free(copy);
}
END_TEST

/* ---- str */

START_TEST(str_grows)
{
	struct str s = {0};
	char number[12];

	ck_assert_str_eq(str_text(&s), "");
	for (int i = 0; i < 1000; i++)
		str_fmt(&s, "%03d", i);
	ck_assert_uint_eq(s.len, 3000);
	for (int i = 0; i < 1000; i++) {
		snprintf(number, sizeof number, "%03d", i);
		ck_assert_int_eq(strncmp(s.text + 3 * i, number, 3), 0);
	}
	str_release(&s);
	ck_assert_ptr_null(s.text);
}
END_TEST

START_TEST(str_puts_all_kinds)
{
	struct str s = {0};
	char *before;

	str_put(&s, "a\0b", 3);
	ck_assert_uint_eq(s.len, 3);
	ck_assert_mem_eq(s.text, "a\0b", 4);
	str_cut(&s, 1);
	str_puts(&s, "cd");
	str_putc(&s, 'e');
	str_fill(&s, '-', 100);
	ck_assert_uint_eq(s.len, 104);
	ck_assert_int_eq(strncmp(s.text, "acde----", 8), 0);
	str_fill(&s, '-', 0);
	str_put(&s, NULL, 0);
	ck_assert_uint_eq(s.len, 104);
	before = s.text;
	str_reset(&s);
	ck_assert_str_eq(str_text(&s), "");
	ck_assert_ptr_eq(s.text, before);
	str_release(&s);
	str_reset(&s);
	ck_assert_str_eq(str_text(&s), "");
}
END_TEST

START_TEST(str_fmt_of_any_length)
{
	struct str s = {0};

	str_fmt(&s, "%*s", _i, "x");
	ck_assert_uint_eq(s.len, _i ? (size_t)_i : 1);
	ck_assert_int_eq(s.text[s.len - 1], 'x');
	str_fmt(&s, "%d%s", 12, "");
	ck_assert_str_eq(s.text + s.len - 3, "x12");
	str_release(&s);
}
END_TEST

/* ---- vec */

static const int64_t numbers[] = {
	0, 7, -7, 10, -10, 99, 1234567890123456789, INT64_MAX, INT64_MIN,
};

START_TEST(str_int_is_as_printf)
{
	char want[32];
	struct str s = {0};

	snprintf(want, sizeof want, "%" PRId64, numbers[_i]);
	str_int(&s, numbers[_i]);
	ck_assert_str_eq(s.text, want);
	ck_assert_uint_eq(s.len, strlen(want));
	str_release(&s);
}
END_TEST

/* Each byte at each place of two words. */
START_TEST(utf8_plain_is_printable_ascii)
{
	for (size_t at = 0; at < 19; at++) {
		char text[] = "abcdefgh ~abcdef gh";

		text[at] = (char)_i;
		ck_assert_int_eq(utf8_is_plain(text, 19), _i >= 0x20 && _i < 0x7f);
		ck_assert(utf8_is_plain(text, at));
	}
}
END_TEST

START_TEST(vec_grows_and_keeps)
{
	VEC(int) v = {0};

	for (int i = 0; i < 1000; i++)
		vec_push(&v, i);
	ck_assert_uint_eq(v.len, 1000);
	ck_assert_uint_ge(v.cap, 1000);
	for (int i = 0; i < 1000; i++)
		ck_assert_int_eq(v.at[i], i);
	ck_assert_int_eq(*vec_last(&v), 999);
	v.len = 10;
	ck_assert_int_eq(*vec_add(&v), 0);
	ck_assert_uint_eq(v.len, 11);
	vec_reserve(&v, 5000);
	ck_assert_uint_ge(v.cap, 5000);
	vec_release(&v);
	ck_assert_uint_eq(v.len + v.cap, 0);
}
END_TEST

/* ---- map */

START_TEST(map_numbers_names_in_order)
{
	struct arena mem = {0};
	struct map map = {0};
	struct str name = {0};

	ck_assert_uint_eq(map_find(&map, "a", 1), MAP_NONE);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 5000; i++) {
			str_reset(&name);
			str_fmt(&name, "tower_%u/block/conv%u", i % 7, i);
			ck_assert_uint_eq(map_add(&map, &mem, name.text, name.len), i);
		}
	ck_assert_uint_eq(map.len, 5000);
	ck_assert_str_eq(map.key[4999], "tower_1/block/conv4999");
	ck_assert_uint_eq(map_find(&map, "tower_0/block/conv0", 19), 0);
	ck_assert_uint_eq(map_find(&map, "tower_0/block/conv", 18), MAP_NONE);
	ck_assert_uint_eq(map_find(&map, "tower_0/block/conv0x", 20), MAP_NONE);
	ck_assert_uint_le(map.n_slots, 4 * 5001);
	map_seal(&map);
	ck_assert_uint_eq(map.len, 5000);
	ck_assert_str_eq(map.key[4999], "tower_1/block/conv4999");
	str_release(&name);
	map_release(&map);
	arena_release(&mem);
	ck_assert_uint_eq(map_find(&map, "a", 1), MAP_NONE);
}
END_TEST

START_TEST(map_takes_any_name)
{
	struct arena mem = {0};
	struct map map = {0};

	ck_assert_uint_eq(map_add(&map, &mem, "", 0), 0);
	ck_assert_uint_eq(map_add(&map, &mem, "abcdefgh", 8), 1);
	ck_assert_uint_eq(map_add(&map, &mem, "abcdefghi", 9), 2);
	ck_assert_uint_eq(map_add(&map, &mem, "abcdefghi", 8), 1);
	ck_assert_uint_eq(map_add(&map, &mem, "\xff\x80", 2), 3);
	ck_assert_uint_eq(map_find(&map, "", 0), 0);
	map_release(&map);
	arena_release(&mem);
}
END_TEST

/* ---- utf8 */

static const struct { const char *text; size_t len, n; uint32_t cp; } chars[] = {
	{ "a", 1, 1, 'a' },
	{ "\0", 1, 1, 0 },
	{ "\x7f", 1, 1, 0x7f },
	{ "\xc3\xa4", 2, 2, 0xe4 },
	{ "\xe6\x97\xa5", 3, 3, 0x65e5 },
	{ "\xf0\x9f\x98\x80", 4, 4, 0x1f600 },
	{ "\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff },
	{ "\xc3", 1, 1, UTF8_BAD },                     /* cut */
	{ "\xe6\x97", 2, 1, UTF8_BAD },
	{ "\xc3" "a", 2, 1, UTF8_BAD },
	{ "\x80", 1, 1, UTF8_BAD },
	{ "\xff", 1, 1, UTF8_BAD },
	{ "\xc0\x80", 2, 1, UTF8_BAD },                 /* longer than need be */
	{ "\xe0\x80\x80", 3, 1, UTF8_BAD },
	{ "\xf0\x80\x80\x80", 4, 1, UTF8_BAD },
	{ "\xed\xa0\x80", 3, 1, UTF8_BAD },             /* a surrogate */
	{ "\xf4\x90\x80\x80", 4, 1, UTF8_BAD },         /* past the last */
	{ "\xf8\x88\x80\x80\x80", 5, 1, UTF8_BAD },
};

START_TEST(utf8_reads_characters)
{
	char *exact = mem_copy(chars[_i].text, chars[_i].len);
	uint32_t cp;

	ck_assert_uint_eq(utf8_next(exact, chars[_i].len, &cp), chars[_i].n);
	ck_assert_uint_eq(cp, chars[_i].cp);
	free(exact);
}
END_TEST

static const struct { const char *text, *cells; size_t columns, count; } cells[] = {
	{ "", "", 0, 0 },
	{ "plain/name:0", "plain/name:0", 12, 12 },
	{ "a\tb\n", "a^Ib^J", 6, 4 },
	{ "\033[31mred", "^[[31mred", 9, 8 },
	{ "\x7f", "^?", 2, 1 },
	{ "\xc2\x9b" "31m", "\\u009b31m", 9, 4 },
	{ "\xe6\x97\xa5\xe6\x9c\xac", "\xe6\x97\xa5\xe6\x9c\xac", 4, 2 },
	{ "e\xcc\x81", "e\xcc\x81", 1, 2 },
	{ "\xff\xc3", "\\xff\\xc3", 8, 2 },
	{ "\xe2\x80\xae", "\\u202e", 6, 1 },            /* would turn the text around */
	{ "\xf3\xa0\x81\x81", "\\U000e0041", 10, 1 },
	{ "\xef\xbb\xbf", "\\ufeff", 6, 1 },
	{ "a" UTF8_NUL "\xc0", "a\\x00\\xc0", 9, 4 },        /* NUL in a name */
};

START_TEST(utf8_makes_cells)
{
	struct str out = {0};
	const char *text = cells[_i].text;

	ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
	utf8_escape(&out, text, strlen(text));
	ck_assert_str_eq(str_text(&out), cells[_i].cells);
	ck_assert_uint_eq(utf8_columns(text, strlen(text)), cells[_i].columns);
	ck_assert_uint_eq(utf8_count(text, strlen(text)), cells[_i].count);
	str_release(&out);
}
END_TEST

START_TEST(utf8_lets_no_control_through)
{
	struct str out = {0};

	setlocale(LC_ALL, "C.UTF-8");
	for (unsigned a = 0; a < 256; a++)
		for (unsigned b = 0; b < 256; b++) {
			char pair[2] = { (char)a, (char)b };

			str_reset(&out);
			utf8_escape(&out, pair, 2);
			for (size_t i = 0; i < out.len; i++)
				ck_assert((unsigned char)out.text[i] >= 0x20 &&
				          out.text[i] != 0x7f);
			for (size_t i = 0; i + 1 < out.len; i++)
				ck_assert(memcmp(out.text + i, "\xc2\x9b", 2) != 0);
		}
	str_release(&out);
}
END_TEST

/* ---- err, progress */

START_TEST(err_keeps_the_end_of_a_path)
{
	struct err err = {0};
	char path[400];

	memset(path, 'd', sizeof path);
	memcpy(path + sizeof path - 5, "/end", 5);
	ck_assert(!err_at(&err, ERR_FORMAT, path, 17, "expected %d, found %s", 4, "none"));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, 17);
	ck_assert_str_eq(err.msg, "expected 4, found none");
	ck_assert_uint_eq(strlen(err.src), sizeof err.src - 1);
	ck_assert_int_eq(strncmp(err.src, "...dddd", 7), 0);
	ck_assert_str_eq(err.src + strlen(err.src) - 5, "d/end");
	ck_assert(!err_at(&err, ERR_IO, NULL, 0, "%0400d", 1));
	ck_assert_str_eq(err.src, "");
	ck_assert_uint_eq(strlen(err.msg), sizeof err.msg - 1);
	ck_assert(!err_at(NULL, ERR_IO, "f", 0, "nobody asks"));
}
END_TEST

START_TEST(err_source_that_just_fits)
{
	struct err err = {0};
	char path[400];

	memset(path, 'p', sizeof path);
	path[sizeof err.src - 1] = '\0';
	err_fill(&err, ERR_IO, path, 0, "x");
	ck_assert_str_eq(err.src, path);
	path[sizeof err.src - 1] = 'q';
	path[sizeof err.src] = '\0';
	err_fill(&err, ERR_IO, path, 0, "x");
	ck_assert_int_eq(strncmp(err.src, "...p", 4), 0);
	ck_assert_int_eq(err.src[sizeof err.src - 2], 'q');
}
END_TEST

static void count_ticks(struct progress *p)
{
	++*(int *)p->owner;
}

static void *tell_mask(void *mask)
{
	pthread_sigmask(SIG_BLOCK, NULL, mask);
	return mask;
}

START_TEST(threads_leave_signals_to_the_main_one)
{
	sigset_t before, after, there;
	pthread_t thread;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	ck_assert(thread_start(&thread, tell_mask, &there));
	pthread_join(thread, NULL);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (int number = 1; number <= SIGRTMAX; number++) {
		bool can_be_held = number != SIGKILL && number != SIGSTOP &&
		                   (number < 32 || number >= SIGRTMIN);

		ck_assert_int_eq(sigismember(&after, number), sigismember(&before, number));
		if (can_be_held)
			ck_assert_int_eq(sigismember(&there, number), !signal_is_bug(number));
	}
	ck_assert(signal_is_bug(SIGSEGV) && signal_is_bug(SIGABRT));
	ck_assert(!signal_is_bug(SIGHUP) && !signal_is_bug(SIGINT));
}
END_TEST

START_TEST(progress_tells_and_stops)
{
	int ticks = 0;
	struct progress p = { .tick = count_ticks, .owner = &ticks };

	ck_assert(progress_step(NULL, 1, 2));
	ck_assert(progress_step(&p, 3, 9));
	ck_assert_uint_eq(p.done, 3);
	ck_assert_uint_eq(p.total, 9);
	p.cancel = true;
	ck_assert(!progress_step(&p, 4, 9));
	ck_assert(progress_cancelled(&p));
	ck_assert(!progress_cancelled(NULL));
	ck_assert_int_eq(ticks, 2);
}
END_TEST


/* ---- numbered */

static uint64_t next_number(uint64_t *dice)
{
	*dice = *dice * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *dice >> 20;
}

/* Of few and of many bytes, below 0 too; many of them equal. */
START_TEST(numbered_rows_are_sorted_and_stay_in_order)
{
	enum { N = 3000 };
	static struct numbered rows[2 * N];
	uint64_t dice = 1 + (uint64_t)_i;
	int64_t number[N], most = INT64_C(1) << (7 * _i);

	for (uint32_t i = 0; i < N; i++) {
		number[i] = (int64_t)(next_number(&dice) % (uint64_t)most);
		number[i] -= _i % 2 ? most / 2 : 0;
		rows[i] = (struct numbered){ numbered_key(number[i]), i };
	}
	numbered_sort(rows, rows + N, N);
	for (size_t i = 1; i < N; i++) {
		int64_t before = number[rows[i - 1].row], here = number[rows[i].row];

		ck_assert(before < here || (before == here && rows[i - 1].row < rows[i].row));
	}
	numbered_sort(rows, rows + N, 0);
}
END_TEST

/* One of many keys differs in a byte that is not the lowest; the lowest byte differs, too. */
START_TEST(numbered_rows_are_sorted_by_each_byte)
{
	enum { N = 100 };
	struct numbered rows[2 * N] = { { 3, 0 }, { 4, 1 }, { 5, 2 } };

	for (uint32_t i = 3; i < N; i++)
		rows[i] = (struct numbered){ 7, i };
	rows[1].key |= UINT64_C(1) << 8 * _i;
	numbered_sort(rows, rows + N, N);
	ck_assert_uint_eq(rows[0].row, 0);
	for (uint32_t i = 1; i < N - 1; i++)
		ck_assert_uint_eq(rows[i].row, i + 1);
	ck_assert_uint_eq(rows[N - 1].row, 1);
}
END_TEST

SUITE_MAIN("base",
	tcase_add_loop_test(t, numbered_rows_are_sorted_by_each_byte, 1, 8);
	tcase_add_loop_test(t, numbered_rows_are_sorted_and_stay_in_order, 0, 9);
	tcase_add_test(t, arena_gives_zeroed_aligned_room);
	tcase_add_test(t, arena_formats_texts_of_any_length);
	tcase_add_test(t, arena_copies_text_without_padding);
	tcase_add_test(t, arena_try_may_say_no);
	tcase_add_test(t, mem_fails_when_told);
	tcase_add_exit_test(t, mem_calls_the_hook, 7);
	tcase_add_test(t, mem_copy_ends_in_nul);
	tcase_add_test(t, str_grows);
	tcase_add_test(t, str_puts_all_kinds);
	tcase_add_loop_test(t, str_fmt_of_any_length, 0, 140);
	tcase_add_loop_test(t, str_int_is_as_printf, 0, ROWS(numbers));
	tcase_add_loop_test(t, utf8_plain_is_printable_ascii, 0, 256);
	tcase_add_test(t, vec_grows_and_keeps);
	tcase_add_test(t, map_numbers_names_in_order);
	tcase_add_test(t, map_takes_any_name);
	tcase_add_loop_test(t, utf8_reads_characters, 0, ROWS(chars));
	tcase_add_loop_test(t, utf8_makes_cells, 0, ROWS(cells));
	tcase_add_test(t, utf8_lets_no_control_through);
	tcase_add_test(t, err_keeps_the_end_of_a_path);
	tcase_add_test(t, err_source_that_just_fits);
	tcase_add_test(t, threads_leave_signals_to_the_main_one);
	tcase_add_test(t, progress_tells_and_stops);
)
