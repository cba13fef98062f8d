/* Output goes to unnamed files, not pipes: nothing can fill up, and no order of reading matters. */
#include "tests/program.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump/base/mem.h"

static void become(const char *const *argv, const char *dir, const int fd[3])
{
	if (dir && (chdir(dir) != 0 || setenv("HOME", dir, 1) != 0))
		_exit(127);
	for (int i = 0; i < 3; i++)
		if (dup2(fd[i], i) < 0)
			_exit(127);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

static int unnamed_file(const char *content)
{
	FILE *file = tmpfile();
	int fd;

	if (!file)
		abort();
	fputs(content, file);
	rewind(file);
	fd = dup(fileno(file));
	fclose(file);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static void read_from(int fd, struct str *out)
{
	char buffer[64 * 1024];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof buffer)) > 0)
		str_put(out, buffer, (size_t)n);
}

/* What root may do beyond them is given up. */
bool permissions_hold(void)
{
	static const unsigned given_up[] = { CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH };
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2];

	if (geteuid() != 0)
		return true;
	if (syscall(SYS_capget, &head, data) != 0)
		return false;
	for (size_t i = 0; i < sizeof given_up / sizeof *given_up; i++) {
		prctl(PR_CAPBSET_DROP, given_up[i], 0, 0, 0);
		data[0].effective &= ~(1u << given_up[i]);
		data[0].permitted &= ~(1u << given_up[i]);
		data[0].inheritable &= ~(1u << given_up[i]);
	}
	return syscall(SYS_capset, &head, data) == 0;
}

void program_run(const char *const *argv, const char *dir, const char *input,
                 struct program_run *ran)
{
	int fd[3] = { unnamed_file(input ? input : ""), unnamed_file(""), unnamed_file("") };
	int status = 0;
	pid_t pid;

	*ran = (struct program_run){0};
	pid = fork();
	if (pid == 0)
		become(argv, dir, fd);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	ran->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	for (int i = 1; i < 3; i++) {
		lseek(fd[i], 0, SEEK_SET);
		read_from(fd[i], i == 1 ? &ran->out : &ran->err);
	}
	for (int i = 0; i < 3; i++)
		close(fd[i]);
}

void program_release(struct program_run *ran)
{
	str_release(&ran->out);
	str_release(&ran->err);
}

const char *program_path(void)
{
	static char path[PATH_MAX];
	const char *given = getenv("TENSORDBG");

	if (!path[0] && !realpath(given ? given : "build/tensordbg", path))
		snprintf(path, sizeof path, "%s", "build/tensordbg");
	return path;
}

char *scratch_in(const char *base)
{
	struct str name = {0};

	str_fmt(&name, "%s/tensordbg-XXXXXX", base);
	if (!mkdtemp(name.text))
		abort();
	return name.text;
}

char *scratch_new(void)
{
	const char *base = getenv("TMPDIR");

	return scratch_in(base && base[0] == '/' ? base : "/tmp");
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	return remove(path);
}

void scratch_remove(char *dir)
{
	nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(dir);
}

bool read_whole(const char *path, struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	read_from(fd, out);
	close(fd);
	return true;
}
