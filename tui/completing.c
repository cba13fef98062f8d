/* Candidates come from the shell, which belongs to the worker while a command runs. */
#include "tui/completing.h"

#include <string.h>

#include "dump/base/utf8.h"
#include "tui/prompt.h"

enum { MAX_CANDIDATES = 200 };

static void list_candidates(struct candidates *c, const struct completion *found)
{
	str_reset(&c->text);
	c->begin.len = 0;
	c->total = found->n;
	for (size_t i = 0; i < found->first.len; i++) {
		if (i)
			str_putc(&c->text, ' ');
		vec_push(&c->begin, c->text.len);
		utf8_escape(&c->text, found->first.at[i], strlen(found->first.at[i]));
	}
}

void completing_tab(struct app *app)
{
	struct completion found = {0};
	size_t cursor = prompt_cursor(), typed;

	app->candidates.total = 0;
	app->tab_waits = worker_busy(app->worker) || !app->loaded;
	if (app->tab_waits)
		return;
	shell_complete(app->shell, prompt_text(), cursor, MAX_CANDIDATES, &found);
	typed = cursor - found.word_begin;
	if (found.n && found.common.len > typed)
		prompt_insert(found.common.text + typed, found.common.len - typed);
	if (found.n > 1)
		list_candidates(&app->candidates, &found);
	completion_release(&found);
}
