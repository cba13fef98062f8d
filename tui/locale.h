#ifndef TUI_LOCALE_H
#define TUI_LOCALE_H

/* Takes the user's language from the environment; numbers stay as in C. */
void locale_take(void);

#endif
