#ifndef TUI_NEWS_H
#define TUI_NEWS_H

#include "tui/state.h"

/* What the status line says beside where we are: not escaped yet; nothing: there is none. */
/* What the next key is about. In our style the line of keys tells what may follow a first key. */
void news_put_urgent(struct app *app, struct str *out);
/* What runs and how far it is, what a search or filter found. */
void news_put(struct app *app, struct str *out);

#endif
