/* Documents: built lines, a body between them, segments and links, and how they are written. */
#include "cmds/doc/doc.h"
#include "cmds/doc/write.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"

/* A body of numbered lines that become known a few at a time. */
struct numbers {
	struct body body;
	uint64_t known, total;
	bool *freed;
};

static uint64_t numbers_rows(struct body *body)
{
	return ((struct numbers *)body)->known;
}

static bool numbers_line(struct body *body, uint64_t row, int width, struct line *line,
                         struct err *err)
{
	(void)body, (void)width;
	if (row == 3)
		return err_at(err, ERR_FORMAT, "dump/x", 7, "a number");
	line_fmt(line, ROLE_PLAIN, "row %llu", (unsigned long long)row);
	line->note = NOTE_INDEX;
	line->rank = 1;
	line->index[0] = (int64_t)row;
	return true;
}

static enum body_state numbers_work(struct body *body, struct progress *progress)
{
	struct numbers *n = (struct numbers *)body;

	(void)progress;
	n->known += n->known < n->total;
	return n->known < n->total ? BODY_WORKING : BODY_DONE;
}

static void numbers_free(struct body *body)
{
	*((struct numbers *)body)->freed = true;
}

static const struct body_kind numbers_kind = {
	.name = "numbers", .rows = numbers_rows, .line = numbers_line, .work = numbers_work,
	.free = numbers_free,
};

static char *written(struct doc *doc, enum doc_format format, bool colour)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	ck_assert(doc_write(doc, format, colour, NULL, file));
	fclose(file);
	return text;
}

static struct doc *sample(void)
{
	struct doc *doc = doc_new();

	doc_put(doc, ROLE_PLAIN, "see ");
	doc_link(doc, ROLE_STRONG, "w:0", "pt %s", "w:0");
	doc_put(doc, ROLE_SLOT, "!");
	doc_newline(doc);
	doc_newline(doc);
	doc_line_put(doc, ROLE_ERROR, "ERROR: %d", 5);
	return doc;
}

START_TEST(lines_come_back_with_their_links)
{
	struct doc *doc = sample();
	struct line line = {0};

	ck_assert_uint_eq(doc_rows(doc), 3);
	doc_line(doc, 0, 0, &line);
	ck_assert_str_eq(line.text.text, "see w:0!");
	ck_assert_uint_eq(line.segs.len, 2);
	ck_assert_uint_eq(line.segs.at[0].begin, 4);
	ck_assert_uint_eq(line.segs.at[0].end, 7);
	ck_assert_str_eq(seg_link(&line, &line.segs.at[0]), "pt w:0");
	ck_assert_ptr_null(seg_link(&line, &line.segs.at[1]));
	doc_line(doc, 1, 0, &line);
	ck_assert_uint_eq(line.text.len, 0);
	ck_assert_uint_eq(line.segs.len, 0);
	line_release(&line);
	doc_free(doc);
}
END_TEST

START_TEST(a_body_grows_between_head_and_foot)
{
	bool freed = false;
	struct numbers numbers = { { &numbers_kind }, 0, 5, &freed };
	struct doc *doc = sample();
	struct line line = {0};

	doc_body(doc, &numbers.body);
	doc_line_put(doc, ROLE_PLAIN, "foot");
	ck_assert_uint_eq(doc_rows(doc), 4);
	doc_line(doc, 3, 0, &line);
	ck_assert_str_eq(line.text.text, "foot");
	while (doc_work(doc, NULL) == BODY_WORKING)
		;
	ck_assert_uint_eq(doc_rows(doc), 9);
	doc_line(doc, 3 + 2, 0, &line);
	ck_assert_str_eq(line.text.text, "row 2");
	ck_assert_int_eq(line.note, NOTE_INDEX);
	ck_assert(!doc_line(doc, 3 + 3, 0, &line));
	ck_assert_str_eq(line.text.text, "ERROR: dump/x, offset 7: a number");
	doc_line(doc, 8, 0, &line);
	ck_assert_str_eq(line.text.text, "foot");
	line_release(&line);
	doc_free(doc);
	ck_assert(freed);
}
END_TEST

START_TEST(writing_waits_for_the_whole_body)
{
	bool freed = false;
	struct numbers numbers = { { &numbers_kind }, 0, 2, &freed };
	struct doc *doc = doc_new();
	char *text;

	doc_body(doc, &numbers.body);
	doc_line_put(doc, ROLE_PLAIN, "foot");
	text = written(doc, DOC_TEXT, false);
	ck_assert_str_eq(text, "row 0\nrow 1\nfoot\n");
	free(text);
	doc_free(doc);
}
END_TEST

START_TEST(doc_format_counts_characters)
{
	struct doc *doc = doc_new();
	int64_t dims[] = { 2, 3 };
	char *text;

	doc_put(doc, ROLE_PLAIN, "\xc3\xa9\xe6\x97\xa5 ");
	doc_link(doc, ROLE_LIBRARY, "x", "ps x");
	doc_newline(doc);
	doc_newline(doc);
	doc_tensor(doc, "[('qint8', 'i1')]", 2, dims);
	doc_scroll_to(doc, 1);
	doc_menu_item(doc, "lt", "list_tensors", true);
	doc_menu_item(doc, "ni", "node_info", false);
	text = written(doc, DOC_DOC, false);
	ck_assert_str_eq(text, "> \xc3\xa9\xe6\x97\xa5 x\n>\n@ 0 3 4 gray|link:ps x\n"
	                 "! tensor_metadata 2x3 [('qint8','i1')]\n! init_scroll_pos 1\n"
	                 "! mm list_tensors:on node_info:off\n");
	free(text);
	doc_free(doc);
}
END_TEST

START_TEST(nothing_raw_is_written)
{
	struct doc *doc = doc_new();
	char *text;

	doc_put_text(doc, ROLE_STRONG, "a\033]0;x\007\xff\tb\xc2\x9b", 12);
	doc_newline(doc);
	text = written(doc, DOC_TEXT, false);
	ck_assert_str_eq(text, "a^[]0;x^G\\xff^Ib\\u009b\n");
	free(text);
	text = written(doc, DOC_TEXT, true);
	ck_assert_str_eq(text, "\033[1ma^[]0;x^G\\xff^Ib\\u009b\033[m\n");
	free(text);
	doc_free(doc);
}
END_TEST

/* What a pseudo-terminal is given comes out at its other end. */
static void read_terminal(int master, struct str *out)
{
	char bytes[256];
	ssize_t n;

	do {
		n = read(master, bytes, sizeof bytes);
		str_put(out, bytes, n > 0 ? (size_t)n : 0);
	} while (n > 0 && !memchr(str_text(out), '\n', out->len));
}

static void write_to_terminal(struct doc *doc, bool colour, struct str *out)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	FILE *file;

	ck_assert_int_ge(master, 0);
	ck_assert_int_eq(grantpt(master) | unlockpt(master), 0);
	file = fopen(ptsname(master), "w");
	ck_assert_ptr_nonnull(file);
	ck_assert(doc_write(doc, DOC_TEXT, colour, NULL, file));
	fflush(file);
	read_terminal(master, out);
	fclose(file);
	close(master);
}

START_TEST(tabs_stay_tabs_but_on_a_terminal)
{
	struct doc *doc = doc_new();
	struct str shown = {0};
	char *text;

	doc_put(doc, ROLE_PLAIN, "a\tb ");
	doc_put(doc, ROLE_TABBED, "c\t\x1b\t");
	doc_put(doc, ROLE_STRONG, "d\te");
	doc_newline(doc);
	text = written(doc, DOC_TEXT, false);
	ck_assert_str_eq(text, "a^Ib c\t^[\td\te\n");
	free(text);
	text = written(doc, DOC_TEXT, true);
	ck_assert_str_eq(text, "a^Ib c\t^[\t\033[1md\te\033[m\n");
	free(text);
	write_to_terminal(doc, false, &shown);
	ck_assert_str_eq(shown.text, "a^Ib c       ^[      d       e\r\n");
	str_reset(&shown);
	write_to_terminal(doc, true, &shown);
	ck_assert_str_eq(shown.text, "a^Ib c       ^[      \033[1md       e\033[m\r\n");
	str_release(&shown);
	doc_free(doc);
}
END_TEST

SUITE_MAIN("doc",
	tcase_add_test(t, lines_come_back_with_their_links);
	tcase_add_test(t, a_body_grows_between_head_and_foot);
	tcase_add_test(t, writing_waits_for_the_whole_body);
	tcase_add_test(t, doc_format_counts_characters);
	tcase_add_test(t, nothing_raw_is_written);
	tcase_add_test(t, tabs_stay_tabs_but_on_a_terminal);
)
