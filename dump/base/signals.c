#include "dump/base/signals.h"

#include <signal.h>
#include <stddef.h>

bool signal_ends(int number)
{
	static const int harmless[] = { SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT,
	                                SIGCHLD, SIGURG,  SIGWINCH, SIGPIPE };

	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (harmless[i] == number)
			return false;
	return true;
}

bool signal_is_default(int number)
{
	struct sigaction now;

	return sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
	       now.sa_handler == SIG_DFL;
}
