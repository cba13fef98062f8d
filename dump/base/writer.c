/*
 * The stream is one of our own making (fopencookie), so that the reason of the first write that
 * failed is known at the end, when errno has long been another's. Names of unfinished files stand
 * in slots that a signal handler can read; a name stands there before its file exists, and
 * the file is made only if there was none of that name.
 */
#include "dump/base/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/signals.h"
#include "dump/base/str.h"

enum { BLOCK_SLOTS = 64, N_BLOCKS = 1 << 14, N_SLOTS = BLOCK_SLOTS * N_BLOCKS };
enum { MAX_LINKS = 40, BUFFER_BYTES = 64 * 1024 };

struct writer {
	FILE *stream;
	int fd;
	int first_errno;         /* of a write; 0: all went well */
	uint64_t size_bytes;     /* written */
	char *path;              /* as the caller has it, for messages */
	char *target;            /* the file to be replaced */
	char *beside;            /* the one that replaces it; NULL: none, fd has no name */
	int slot;                /* of beside; N_SLOTS: none was free */
	int out;                 /* a pipe or device that is written at the end; -1: none */
	const char *room;        /* where a file without a name is */
	bool made;               /* open_target made the file: nobody else has it */
	enum writer_how how;
	sigset_t mask;           /* as it was */
};

/* Blocks are made as they are needed, and stay. */
typedef _Atomic(char *) slot_name;
static _Atomic(slot_name *) unfinished[N_BLOCKS];
static atomic_int free_from;     /* slots before it are mostly taken */

/* Signals. */

void writer_forsake_all(void)
{
	for (int i = 0; i < N_SLOTS; i++) {
		slot_name *block = atomic_load(&unfinished[i / BLOCK_SLOTS]);
		const char *name = block ? atomic_exchange(&block[i % BLOCK_SLOTS], NULL) : NULL;

		if (!block)
			return;
		if (name)
			unlink(name);
	}
}

/* The block of a slot, which is made if there is none. */
static slot_name *block_of(int slot)
{
	_Atomic(slot_name *) *place = &unfinished[slot / BLOCK_SLOTS];
	slot_name *made, *none = NULL;

	if (atomic_load(place))
		return atomic_load(place);
	made = mem_alloc(BLOCK_SLOTS * sizeof *made);
	if (atomic_compare_exchange_strong(place, &none, made))
		return made;
	free(made);
	return none;
}

/* The slot that now holds the name; N_SLOTS: none was free. */
static int take_slot(char *name)
{
	for (int i = atomic_load(&free_from); i < N_SLOTS; i++) {
		char *none = NULL;

		if (!atomic_compare_exchange_strong(&block_of(i)[i % BLOCK_SLOTS], &none, name))
			continue;
		atomic_store(&free_from, i + 1);
		return i;
	}
	return N_SLOTS;
}

static void leave_slot(int slot)
{
	if (slot == N_SLOTS)
		return;
	atomic_store(&block_of(slot)[slot % BLOCK_SLOTS], NULL);
	if (slot < atomic_load(&free_from))
		atomic_store(&free_from, slot);
}

static void die(int number)
{
	writer_forsake_all();
	signal(number, SIG_DFL);
	raise(number);
}

/*
 * Where a signal would just end the program, it now removes unfinished files before. It stays so;
 * programs we start don't see it.
 */
static void watch_signals(void)
{
	struct sigaction ours = { .sa_handler = die };

	for (int number = 1; number <= SIGRTMAX; number++)
		if (signal_ends(number) && signal_is_default(number))
			sigaction(number, &ours, NULL);
}

/* What a write may raise, on this thread: it then fails, and says why. */
static void hold_signals(sigset_t *mask)
{
	sigset_t held;

	sigemptyset(&held);
	sigaddset(&held, SIGXFSZ);
	sigaddset(&held, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &held, mask);
}

/* The failed write has reported these signals already. */
static void release_signals(const sigset_t *mask)
{
	static const int held[] = { SIGXFSZ, SIGPIPE };
	sigset_t came, one;
	int number;

	sigpending(&came);
	for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
		if (!sigismember(&came, held[i]) || sigismember(mask, held[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, held[i]);
		sigwait(&one, &number);
	}
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

/* Where it goes. */

/* The end of a long path says more than its beginning; the reason has room in any case. */
static void fail(struct err *err, const char *path, const char *reason)
{
	size_t room = err ? sizeof err->msg - strlen(reason) - sizeof "...: " : 0,
	       len = strlen(path);

	if (err)
		err_fill(err, ERR_IO, "command", 0, "%s%s: %s", len > room ? "..." : "",
		         len > room ? path + len - room : path, reason);
}

/* What path leads to; the last link may lead to nothing yet. */
static char *follow_links(const char *path)
{
	struct str at = {0}, next = {0};
	char to[4096];
	ssize_t len;

	str_puts(&at, path);
	for (int i = 0; i < MAX_LINKS; i++) {
		len = readlink(at.text, to, sizeof to);
		if (len < 0 || len == (ssize_t)sizeof to)
			break;
		str_reset(&next);
		if (to[0] != '/')
			str_put(&next, at.text, (size_t)(path_name(at.text) - at.text));
		str_put(&next, to, (size_t)len);
		str_reset(&at);
		str_put(&at, next.text, next.len);
	}
	str_release(&next);
	return at.text;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Is it what our own output goes to? Then another file in its place would take all that is still
 * to come.
 */
static int standard_of(const struct stat *there)
{
	struct stat st;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &st) == 0 && is_same(&st, there) &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
			return fd;
	return -1;
}

static int open_standard(int fd)
{
	fflush(fd == STDOUT_FILENO ? stdout : stderr);
	return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* A new file in the target's directory; its name is in a slot before it exists. -1 with errno. */
static int make_beside(struct writer *w, mode_t mode)
{
	static atomic_uint last;
	struct str name = {0};
	int fd = -1;

	do {
		str_reset(&name);
		str_put(&name, w->target, (size_t)(path_name(w->target) - w->target));
		str_fmt(&name, "tensordbg-%ld-%u.part", (long)getpid(),
		        atomic_fetch_add(&last, 1));
		w->slot = take_slot(name.text);
		fd = open(name.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0)
			leave_slot(w->slot);
	} while (fd < 0 && errno == EEXIST);
	w->beside = name.text;
	return fd;
}

/*
 * As the old one: who may use it and whose it is. What the system does not allow stays as it is.
 */
static bool take_after(int fd, const struct stat *old)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && (st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
	    fchown(fd, old->st_uid, old->st_gid) != 0 && fchown(fd, (uid_t)-1, old->st_gid) != 0)
		return fchmod(fd, old->st_mode & 0777) == 0;
	return fchmod(fd, old->st_mode & 07777) == 0;
}

/* A file without a name, for what can't be replaced. -1 with errno. */
static int make_nameless(struct writer *w)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	w->room = dir && *dir ? dir : "/tmp";
	fd = open(w->room, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	w->room = "memory";
	return memfd_create("tensordbg", MFD_CLOEXEC);
}

/* Has no directory this file? It may be open in a process and have no name any more. */
static bool has_no_name(const struct writer *w, const struct stat *there)
{
	struct stat st;

	return stat(w->target, &st) != 0 || !is_same(&st, there);
}

/* What can't be replaced. -1 with errno. */
static int open_target(struct writer *w)
{
	struct stat there;
	bool exists = stat(w->path, &there) == 0;
	int standard = exists ? standard_of(&there) : -1,
	    how = O_WRONLY | O_NOCTTY | O_CLOEXEC, fd;

	if (standard >= 0)
		return open_standard(standard);
	if (w->how == WRITER_APPEND) {
		fd = exists ? -1 : open(w->target, how | O_APPEND | O_CREAT | O_EXCL, 0666);
		w->made = fd >= 0;
		return w->made ? fd : open(w->path, how | O_APPEND | O_CREAT, 0666);
	}
	return open(w->path, how | (exists && S_ISREG(there.st_mode) ? O_TRUNC : 0));
}

/* Can there be a new file? False with errno. */
static bool has_parent(const struct writer *w)
{
	struct str parent = {0};
	bool ok;

	str_put(&parent, w->target, (size_t)(path_name(w->target) - w->target));
	ok = faccessat(AT_FDCWD, parent.len ? parent.text : ".", W_OK | X_OK, AT_EACCESS) == 0;
	str_release(&parent);
	return ok;
}

/* False with errno. A pipe has to have a reader now: what opens it may wait. */
static bool open_fd(struct writer *w)
{
	struct stat there;
	bool exists = stat(w->path, &there) == 0, is_file = !exists || S_ISREG(there.st_mode);

	if (!exists && errno != ENOENT)
		return false;
	w->target = follow_links(w->path);
	if (!is_file)
		w->out = open_target(w);
	else if (exists && faccessat(AT_FDCWD, w->path, W_OK, AT_EACCESS) != 0)
		return false;
	if ((!is_file && w->out < 0) || (!exists && !has_parent(w)))
		return false;
	if (!is_file || w->how == WRITER_APPEND ||
	    (exists && (standard_of(&there) >= 0 || has_no_name(w, &there))))
		w->fd = make_nameless(w);
	else
		w->fd = make_beside(w, w->how == WRITER_PRIVATE ? 0600 : 0666);
	return w->fd >= 0 && (!w->beside || !exists || take_after(w->fd, &there));
}

/* The stream. */

/* Returns how many bytes were written. If they are fewer than len, errno says why. */
static size_t write_all(int fd, const char *bytes, size_t len)
{
	size_t done = 0;
	ssize_t n = 0;

	/* A signal whose handler lets the program go on is Ctrl-C: it is to stop the write. */
	while (done < len && (n = write(fd, bytes + done, len - done)) >= 0)
		done += (size_t)n;
	return done;
}

static ssize_t write_bytes(void *cookie, const char *bytes, size_t len)
{
	struct writer *w = cookie;
	size_t done = w->first_errno ? 0 : write_all(w->fd, bytes, len);

	if (done < len && !w->first_errno)
		w->first_errno = errno;
	w->size_bytes += done;
	errno = w->first_errno;
	return w->first_errno ? 0 : (ssize_t)len;
}

static void drop_beside(struct writer *w)
{
	if (!w->beside)
		return;
	unlink(w->beside);
	leave_slot(w->slot);
}

static void writer_free(struct writer *w)
{
	if (w->out >= 0)
		close(w->out);
	release_signals(&w->mask);
	free(w->path);
	free(w->target);
	free(w->beside);
	free(w);
}

struct writer *writer_open(const char *path, enum writer_how how, struct err *err)
{
	struct writer *w = mem_alloc(sizeof *w);

	w->path = mem_copy(path, strlen(path));
	w->how = how;
	w->fd = w->out = -1;
	watch_signals();
	hold_signals(&w->mask);
	if (open_fd(w))
		w->stream = fopencookie(w, "w", (cookie_io_functions_t){ .write = write_bytes });
	if (w->stream) {
		setvbuf(w->stream, NULL, _IOFBF, BUFFER_BYTES);
		return w;
	}
	fail(err, path, strerror(errno));
	if (w->fd >= 0) {
		close(w->fd);
		drop_beside(w);
	}
	writer_free(w);
	return NULL;
}

FILE *writer_stream(struct writer *writer)
{
	return writer->stream;
}

/*
 * What was appended in part goes again, unless somebody else has put something to it: what was
 * there before is what is left.
 */
static void take_back(const struct writer *w, int fd, const struct stat *old, size_t done)
{
	struct stat st;

	if (w->how != WRITER_APPEND || !S_ISREG(old->st_mode) || fstat(fd, &st) != 0 ||
	    st.st_size != old->st_size + (off_t)done)
		return;
	/* Standard output shares its place with fd, and goes on there. */
	if (done && (ftruncate(fd, old->st_size) != 0 || lseek(fd, old->st_size, SEEK_SET) < 0))
		return;
	if (w->made && !old->st_size)
		unlink(w->target);
}

/* All of it is there: it is written where it belongs. False with errno. */
static bool deliver(struct writer *w)
{
	int fd = w->out >= 0 ? w->out : open_target(w), why = 0;
	char bytes[BUFFER_BYTES];
	struct stat old = {0};
	size_t done = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	if (fstat(fd, &old) != 0 || lseek(w->fd, 0, SEEK_SET) != 0)
		why = errno;
	while (!why && (n = read(w->fd, bytes, sizeof bytes)) != 0) {
		size_t len = n > 0 ? (size_t)n : 0, of_these = write_all(fd, bytes, len);

		done += of_these;
		if (n < 0 || of_these < len)
			why = errno;
	}
	if (why)
		take_back(w, fd, &old, done);
	w->out = -1;
	if (close(fd) != 0 && !why)
		why = errno;
	errno = why;
	return !why;
}

static bool put_in_place(struct writer *w)
{
	if (rename(w->beside, w->target) != 0)
		return false;
	leave_slot(w->slot);
	return true;
}

/* why: errno of what failed; 0: the caller did not want it. Returns false. */
static bool give_up(struct writer *w, int why, bool no_room, struct err *err)
{
	struct str reason = {0};

	drop_beside(w);
	if (w->fd >= 0)
		close(w->fd);
	if (no_room)
		str_fmt(&reason, "no room for the output in %.200s: ", w->room);
	str_puts(&reason, why ? strerror(why) : "");
	if (why)
		fail(err, w->path, reason.text);
	str_release(&reason);
	writer_free(w);
	return false;
}

bool writer_finish(struct writer *w, bool keep, uint64_t *size_bytes, struct err *err)
{
	int fd = w->fd, why;

	fclose(w->stream);
	why = w->first_errno;
	if (w->beside) {                 /* there may be many of them */
		w->fd = -1;
		if (close(fd) != 0 && keep && !why)
			why = errno;
	}
	if (size_bytes)
		*size_bytes = w->size_bytes;
	if (!keep || why)
		return give_up(w, why, w->room && (why == ENOSPC || why == EDQUOT), err);
	release_signals(&w->mask);
	return true;
}

bool writer_place(struct writer *w, bool keep, struct err *err)
{
	hold_signals(&w->mask);
	if (!keep || !(w->beside ? put_in_place(w) : deliver(w)))
		return give_up(w, keep ? errno : 0, false, err);
	if (w->fd >= 0)
		close(w->fd);
	writer_free(w);
	return true;
}

bool writer_close(struct writer *w, bool keep, uint64_t *size_bytes, struct err *err)
{
	return writer_finish(w, keep, size_bytes, err) && writer_place(w, true, err);
}
