/*
 * What a shell does for one job: a process group that gets the terminal, and gives it back when it
 * stops or ends. Other threads go on, so between fork and exec there are system calls only.
 */
#include "tui/outside.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static const char plain_shell[] = "/bin/sh";

/* As a program expects them: what we ignore it would ignore too. */
static void be_ordinary(void)
{
	sigset_t none;

	for (int number = 1; number <= SIGRTMAX; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void exec_shell(const char *shell, const char *line)
{
	if (*line)
		execl(shell, shell, "-c", line, (char *)NULL);
	else
		execl(shell, shell, (char *)NULL);
}

/* In the new process; SIGTTOU is ignored. */
_Noreturn static void be_program(const char *shell, const char *line, int tty)
{
	setpgid(0, 0);
	tcsetpgrp(tty, getpid());
	for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++)
		if (!isatty(fd))
			dup2(tty, fd);
	be_ordinary();
	exec_shell(shell, line);
	exec_shell(plain_shell, line);
	_exit(127);
}

/* We stop as it did; continued, we give it the terminal again. */
static void stop_with(pid_t child, int tty)
{
	tcsetpgrp(tty, getpgrp());
	raise(SIGTSTP);
	tcsetpgrp(tty, child);
	kill(-child, SIGCONT);
}

/* Its status as of waitpid; -1: nothing is known. */
static int await(pid_t child, int tty)
{
	int status;

	for (;;) {
		pid_t got = waitpid(child, &status, WUNTRACED);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (!WIFSTOPPED(status))
			return status;
		stop_with(child, tty);
	}
}

static bool tell(int status, struct str *why)
{
	if (status == 0)
		return true;
	if (status > 0 && WIFSIGNALED(status))
		str_puts(why, strsignal(WTERMSIG(status)));
	else if (status > 0)
		str_fmt(why, "exit status %d", WEXITSTATUS(status));
	else
		str_puts(why, "its end is not known");
	return false;
}

bool outside_run(const char *line, int tty, struct str *why)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	const char *shell = getenv("SHELL");
	struct termios settings;
	pid_t child;
	bool ok;

	tcgetattr(tty, &settings);
	sigaction(SIGTTOU, &ignore, &before);
	child = fork();
	if (child == 0)
		be_program(shell && *shell ? shell : plain_shell, line, tty);
	if (child > 0) {
		setpgid(child, child);
		ok = tell(await(child, tty), why);
		tcsetpgrp(tty, getpgrp());
		tcsetattr(tty, TCSADRAIN, &settings);
	} else {
		str_puts(why, strerror(errno));
		ok = false;
	}
	sigaction(SIGTTOU, &before, NULL);
	return ok;
}
