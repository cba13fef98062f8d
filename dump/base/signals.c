#include "dump/base/signals.h"

#include <signal.h>
#include <stddef.h>

#define IS_AMONG(number, list) is_among(number, list, sizeof (list) / sizeof *(list))

static bool is_among(int number, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == number)
			return true;
	return false;
}

bool signal_ends(int number)
{
	static const int harmless[] = { SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
	                                SIGCHLD, SIGURG,  SIGWINCH, SIGPIPE };

	return !IS_AMONG(number, harmless);
}

bool signal_is_bug(int number)
{
	static const int bugs[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };

	return IS_AMONG(number, bugs);
}

bool signal_is_default(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
	       now.sa_handler == SIG_DFL;
}
