#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <stdbool.h>

/* Does it end a program by default, and can it be caught? Not SIGPIPE, which a write may raise. */
bool signal_ends(int number);
bool signal_is_bug(int number);          /* SIGSEGV and its like: of the thread they come to */
bool signal_is_default(int number);      /* is it left to the system? */

#endif
