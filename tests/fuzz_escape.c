/* Whatever bytes a file holds, what is made of them for a terminal is printable. */
#include "dump/base/utf8.h"

#include <locale.h>
#include <wchar.h>

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct str safe = {0}, again = {0};
	uint32_t cp;

	setlocale(LC_CTYPE, "C.UTF-8");
	utf8_escape(&safe, text, size);
	for (size_t at = 0; at < safe.len; at += utf8_next(safe.text + at, safe.len - at, &cp)) {
		utf8_next(safe.text + at, safe.len - at, &cp);
		MUST(cp != UTF8_BAD && cp >= 0x20 && cp != 0x7f && !(cp >= 0x80 && cp < 0xa0));
		MUST(!(cp >= 0x202a && cp <= 0x202e) && !(cp >= 0x2066 && cp <= 0x2069));
		MUST(wcwidth((wchar_t)cp) >= 0);
	}
	utf8_escape(&again, str_text(&safe), safe.len);
	MUST(again.len == safe.len);
	MUST(utf8_columns(text, size) == utf8_columns(str_text(&safe), safe.len));
	MUST(utf8_count(text, size) <= size);
	str_release(&again);
	str_release(&safe);
	return 0;
}
