#include "dump/base/thread.h"

#include <signal.h>

#include "dump/base/signals.h"

bool thread_start(pthread_t *thread, void *(*work)(void *), void *arg)
{
	sigset_t held, before;
	bool ok;

	sigfillset(&held);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (signal_is_bug(number))
			sigdelset(&held, number);
	pthread_sigmask(SIG_BLOCK, &held, &before);
	ok = pthread_create(thread, NULL, work, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}
