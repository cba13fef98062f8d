#include "tui/bad_elements.h"

#include <string.h>

bool bad_elements_can_be(const struct pane *pane, uint64_t row)
{
	const struct doc *doc = pane_doc(pane);
	const struct doc_tensor *tensor = doc_get_tensor(doc);

	return tensor && !doc_cells(doc) && strcmp(tensor->dtype, "object") != 0 &&
	       strcmp(tensor->dtype, "string") != 0 && row >= doc_body_row(doc);
}

static bool is_of_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* The sign before it belongs to it; "nanj" is the imaginary part of a complex one. */
static bool is_bad_word(const char *text, size_t begin, size_t end)
{
	size_t len = end - begin - (end - begin == 4 && text[end - 1] == 'j');

	return len == 3 && (!memcmp(text + begin, "nan", 3) || !memcmp(text + begin, "inf", 3));
}

bool bad_elements_next(const struct line *line, size_t from, struct span *out)
{
	const char *text = str_text(&line->text);
	size_t begin = from, end;

	for (; begin < line->text.len; begin = end + 1) {
		end = begin;
		while (end < line->text.len && is_of_word(text[end]))
			end++;
		if (end == begin || !is_bad_word(text, begin, end))
			continue;
		out->begin = begin - (begin && (text[begin - 1] == '-' || text[begin - 1] == '+'));
		out->end = end;
		return true;
	}
	return false;
}
