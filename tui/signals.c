/*
 * The handler writes one byte and does nothing else; a full pipe means that enough is waiting
 * already.
 */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int taken[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT };
enum { N_TAKEN = sizeof taken / sizeof *taken };

static struct sigaction before[N_TAKEN], pipe_before;
static int ends[2] = { -1, -1 };

static void note(int number)
{
	int saved = errno;
	unsigned char byte = (unsigned char)number;
	ssize_t written = write(ends[1], &byte, 1);

	(void)written;
	errno = saved;
}

void signals_start(void)
{
	struct sigaction action = { .sa_handler = note }, ignore = { .sa_handler = SIG_IGN };

	if (ends[0] < 0 && pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
		return;
	for (int i = 0; i < N_TAKEN; i++)
		sigaction(taken[i], &action, &before[i]);
	sigaction(SIGPIPE, &ignore, &pipe_before);
}

void signals_stop(void)
{
	for (int i = 0; i < N_TAKEN; i++)
		sigaction(taken[i], &before[i], NULL);
	sigaction(SIGPIPE, &pipe_before, NULL);
}

int signals_fd(void)
{
	return ends[0];
}

int signals_take(void)
{
	unsigned char byte;

	return read(ends[0], &byte, 1) == 1 ? byte : 0;
}

void signals_block_here(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < N_TAKEN; i++)
		sigaddset(&set, taken[i]);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}
