/*
 * The handler writes one byte and does nothing else; a full pipe means that enough is waiting
 * already. It asks the kernel itself: ThreadSanitizer's write() hands out signals that came
 * meanwhile before it returns, and when that happens within a handler it forgets which signals
 * were blocked, and leaves all of them so.
 */
#include "tui/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dump/base/signals.h"

/* Beside those that end a program. */
static const int always[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT };

static struct sigaction before[NSIG], pipe_before;
static bool is_taken[NSIG];
static int ends[2] = { -1, -1 };

static bool is_ours(int number)
{
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (always[i] == number)
			return true;
	return signal_ends(number) && !signal_is_bug(number) && signal_is_default(number);
}

static void note(int number)
{
	int saved = errno;
	unsigned char byte = (unsigned char)number;
	long written = syscall(SYS_write, ends[1], &byte, (size_t)1);

	(void)written;
	errno = saved;
}

void signals_start(void)
{
	struct sigaction action = { .sa_handler = note }, ignore = { .sa_handler = SIG_IGN };

	if (ends[0] < 0 && pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
		return;
	for (int number = 1; number <= SIGRTMAX; number++) {
		is_taken[number] = is_ours(number);
		if (is_taken[number])
			sigaction(number, &action, &before[number]);
	}
	sigaction(SIGPIPE, &ignore, &pipe_before);
}

void signals_pause(void)
{
	for (int number = 1; number <= SIGRTMAX; number++)
		if (is_taken[number])
			sigaction(number, &before[number], NULL);
}

void signals_resume(void)
{
	struct sigaction action = { .sa_handler = note };

	for (int number = 1; number <= SIGRTMAX; number++)
		if (is_taken[number])
			sigaction(number, &action, NULL);
}

void signals_stop(void)
{
	signals_pause();
	sigaction(SIGPIPE, &pipe_before, NULL);
}

bool signals_may_stop(void)
{
	return before[SIGTSTP].sa_handler != SIG_IGN;
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
