/* An array of ten: dropping the oldest moves the rest down. */
#include "tui/screens.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"

static void drop(struct screen *screen)
{
	free(screen->command);
	doc_free(screen->doc);
	row_choice_release(&screen->rows);
	*screen = (struct screen){0};
}

struct screen *screens_push(struct screens *s, const char *command, struct doc *doc)
{
	const struct doc_title *title = doc_title(doc);

	while (s->len && s->len > s->now + 1)
		drop(&s->at[--s->len]);
	if (s->len == MAX_SCREENS) {
		drop(&s->at[0]);
		memmove(&s->at[0], &s->at[1], --s->len * sizeof *s->at);
	}
	s->now = s->len++;
	s->at[s->now] = (struct screen){ .command = mem_copy(command, strlen(command)),
	                                 .doc = doc, .about = title ? title->about : NULL };
	return &s->at[s->now];
}

struct screen *screens_now(struct screens *s)
{
	return s->len ? &s->at[s->now] : NULL;
}

bool screens_step(struct screens *s, int step)
{
	if (step < 0 ? s->now == 0 : s->now + 1 >= s->len)
		return false;
	s->now += (size_t)step;
	return true;
}

bool screens_bring_latest(struct screens *s, const void *about)
{
	for (size_t i = s->len; i-- > 0;) {
		struct screen screen = s->at[i];

		if (!about || screen.about != about)
			continue;
		memmove(&s->at[i], &s->at[i + 1], (--s->len - i) * sizeof *s->at);
		s->at[s->len++] = screen;
		s->now = s->len - 1;
		return true;
	}
	return false;
}

size_t screens_behind(const struct screens *s)
{
	return s->len ? s->len - 1 - s->now : 0;
}

void screens_release(struct screens *s)
{
	for (size_t i = 0; i < s->len; i++)
		drop(&s->at[i]);
	s->len = s->now = 0;
}
