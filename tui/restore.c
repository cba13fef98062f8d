/* Only async-signal-safe calls after restore_arm: write, tcsetattr, unlink, raise. */
#include "tui/restore.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/signals.h"
#include "dump/base/writer.h"
#include "tui/signals.h"

enum { CRASH_STACK = 64 << 10 };

static struct termios saved;
static int terminal = -1;
static char last_words[256];
static size_t n_last_words;
static atomic_bool armed;

void restore_now(void)
{
	ssize_t written;

	if (!atomic_exchange(&armed, false))
		return;
	written = write(terminal, last_words, n_last_words);
	(void)written;
	tcsetattr(terminal, TCSANOW, &saved);
}

/* SA_RESETHAND: raising again ends the program by the default action. */
static void crash(int number)
{
	restore_now();
	writer_forsake_all();
	raise(number);
}

void restore_save(int fd)
{
	terminal = fd;
	tcgetattr(fd, &saved);
}

void restore_catch(int number)
{
	struct sigaction action = { .sa_handler = crash,
	                            .sa_flags = SA_ONSTACK | (int)SA_RESETHAND };

	sigaction(number, &action, NULL);
}

void restore_arm(const char *bytes)
{
	n_last_words = strnlen(bytes, sizeof last_words - 1);
	memcpy(last_words, bytes, n_last_words);
	atomic_store(&armed, true);
	for (int number = 1; number <= SIGRTMAX; number++)
		if (signal_is_bug(number) || (signal_ends(number) && signal_is_default(number)))
			restore_catch(number);
}

void restore_disarm(void)
{
	atomic_store(&armed, false);
}

void restore_thread(void)
{
	stack_t stack = { .ss_sp = mem_alloc(CRASH_STACK), .ss_size = CRASH_STACK };

	sigaltstack(&stack, NULL);
}

void restore_thread_end(void)
{
	stack_t none = { .ss_flags = SS_DISABLE }, stack;

	sigaltstack(&none, &stack);
	if (!(stack.ss_flags & SS_DISABLE))
		free(stack.ss_sp);
}
