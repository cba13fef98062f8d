/*
 * Every member and every directory above one is an entry. They are found by their path below the
 * archive; once all are there they are sorted, so that those of a directory lie side by side.
 */
#include "dump/base/mount.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/vec.h"

#define MEMBERS_MOST (10 * 1000 * 1000)
#define SIZE_MOST (UINT64_C(1) << 40)

struct entry {
	const char *name;        /* the last part of its path */
	uint32_t above;          /* the directory it is in */
	uint32_t first, n;       /* of a directory: in `inside` */
	bool is_dir;
	struct mount_file file;
};

struct mount {
	char *path;
	size_t path_len;
	struct map paths;                /* a path has the number of its entry; 0: the root */
	VEC(struct entry) entries;
	uint32_t *inside;                /* entries, those of one directory side by side, by name */
	VEC(int) fds;
	uint64_t bytes;                  /* of all members */
	struct str name;                 /* scratch: of the member that is added */
	uint32_t last_dir;               /* where the last member was */
	size_t last_dir_len;
	size_t holders;
	struct arena mem;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static VEC(struct mount *) mounts;
static atomic_size_t n_mounts;           /* that are seen: mostly none, and nobody has to wait */

/* Building. */

static uint32_t add_entry(struct mount *mount, const char *path, size_t len, uint32_t above)
{
	uint32_t id = map_add(&mount->paths, &mount->mem, path, len);

	if (id == mount->entries.len) {
		const char *slash = strrchr(mount->paths.key[id], '/');

		*vec_add(&mount->entries) = (struct entry){
			.name = slash ? slash + 1 : mount->paths.key[id], .above = above };
	}
	return id;
}

struct mount *mount_new(const char *path)
{
	struct mount *mount = mem_alloc(sizeof *mount);

	mount->path_len = strlen(path);
	mount->path = mem_copy(path, mount->path_len);
	mount->holders = 1;
	add_entry(mount, "", 0, 0);
	mount->entries.at[0].is_dir = true;
	return mount;
}

void mount_own(struct mount *mount, int fd)
{
	vec_push(&mount->fds, fd);
}

/*
 * Puts the parts of a path behind each other, without "" and ".". up: ".." takes back the part
 * before it. False: it begins with a slash, or ".." leads out or is not allowed.
 */
static bool put_parts(struct str *out, const char *path, bool up)
{
	if (*path == '/')
		return false;
	while (*path) {
		const char *slash;
		size_t len = strcspn(path, "/");

		if (len == 2 && path[0] == '.' && path[1] == '.') {
			if (!up || !out->len)
				return false;
			slash = strrchr(out->text, '/');
			str_cut(out, slash ? (size_t)(slash - out->text) : 0);
		} else if (len && !(len == 1 && *path == '.')) {
			if (out->len)
				str_putc(out, '/');
			str_put(out, path, len);
		}
		path += len + (path[len] == '/');
	}
	return true;
}

/*
 * The directory of this path, with those above it. False: something else has the name of one of
 * them.
 */
static bool find_dir(struct mount *mount, const char *path, size_t len, uint32_t *id)
{
	uint32_t above = 0;

	*id = 0;
	for (size_t end = 0; end < len; end++) {
		while (end < len && path[end] != '/')
			end++;
		*id = add_entry(mount, path, end, above);
		if (mount->entries.at[*id].file.fd)
			return false;
		mount->entries.at[*id].is_dir = true;
		above = *id;
	}
	return true;
}

/* The same for the directory that mount->name lies in; mostly that of the member before. */
static bool find_above(struct mount *mount, uint32_t *id)
{
	const char *path = mount->name.text, *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	if (len == mount->last_dir_len
	    && !memcmp(mount->paths.key[mount->last_dir], path, len)) {
		*id = mount->last_dir;
		return true;
	}
	if (!find_dir(mount, path, len, id))
		return false;
	mount->last_dir = *id;
	mount->last_dir_len = len;
	return true;
}

static const char *add_file(struct mount *mount, const struct mount_file *file)
{
	uint32_t above, id;

	if (!find_above(mount, &above))
		return "lies below a file";
	id = add_entry(mount, mount->name.text, mount->name.len, above);
	if (mount->entries.at[id].is_dir)
		return "is called like a directory";
	mount->bytes += file->size;
	mount->entries.at[id].file = *file;
	mount->entries.at[id].file.fd++;         /* 0 is none */
	return NULL;
}

const char *mount_add(struct mount *mount, const char *name, const struct mount_file *file)
{
	uint32_t id;

	str_reset(&mount->name);
	if (!put_parts(&mount->name, name, false))
		return "leads out of the archive";
	if (mount->name.len > MOUNT_NAME_MOST)
		return "has too long a name";
	if (mount->entries.len > MEMBERS_MOST)
		return "is one of more than 10000000";
	if (file && file->size > SIZE_MOST - mount->bytes)
		return "goes beyond 1 TiB of members";
	if (file)
		return mount->name.len ? add_file(mount, file) : "has no name";
	return find_dir(mount, str_text(&mount->name), mount->name.len, &id)
	       ? NULL : "is called like a file";
}

static int by_place(const void *a, const void *b, void *entries)
{
	const struct entry *x = (const struct entry *)entries + *(const uint32_t *)a;
	const struct entry *y = (const struct entry *)entries + *(const uint32_t *)b;

	return x->above != y->above ? (x->above < y->above ? -1 : 1) : strcmp(x->name, y->name);
}

static void sort_entries(struct mount *mount)
{
	size_t n = mount->entries.len;

	mount->inside = mem_alloc(n * sizeof *mount->inside);
	for (size_t i = 1; i < n; i++)
		mount->inside[i - 1] = (uint32_t)i;
	qsort_r(mount->inside, n - 1, sizeof *mount->inside, by_place, mount->entries.at);
	for (size_t i = n - 1; i-- > 0; ) {
		struct entry *dir = &mount->entries.at[mount->entries.at[mount->inside[i]].above];

		dir->first = (uint32_t)i;
		dir->n++;
	}
}

void mount_show(struct mount *mount)
{
	sort_entries(mount);
	pthread_rwlock_wrlock(&lock);
	vec_push(&mounts, mount);
	atomic_store(&n_mounts, mounts.len);
	pthread_rwlock_unlock(&lock);
}

/* Below which archive does the path lead? *rest: what is below that. With the lock. */
static struct mount *mount_of(const char *path, const char **rest)
{
	struct mount *found = NULL;

	for (size_t i = 0; i < mounts.len; i++) {
		struct mount *mount = mounts.at[i];
		size_t len = mount->path_len;

		if (strncmp(path, mount->path, len) != 0 || (path[len] && path[len] != '/')
		    || (found && found->path_len > len))
			continue;
		found = mount;
		*rest = path + len + strspn(path + len, "/");
	}
	return found;
}

struct mount *mount_hold(const char *path)
{
	struct mount *found;
	const char *rest;

	pthread_rwlock_wrlock(&lock);
	found = mount_of(path, &rest);
	if (found)
		found->holders++;
	pthread_rwlock_unlock(&lock);
	return found;
}

static void mount_free(struct mount *mount)
{
	for (size_t i = 0; i < mount->fds.len; i++)
		close(mount->fds.at[i]);
	vec_release(&mount->fds);
	vec_release(&mount->entries);
	map_release(&mount->paths);
	arena_release(&mount->mem);
	str_release(&mount->name);
	free(mount->inside);
	free(mount->path);
	free(mount);
}

void mount_release(struct mount *mount)
{
	bool last;

	if (!mount)
		return;
	pthread_rwlock_wrlock(&lock);
	last = !--mount->holders;
	for (size_t i = 0; i < mounts.len && last; i++)
		if (mounts.at[i] == mount)
			mounts.at[i] = mounts.at[--mounts.len];
	atomic_store(&n_mounts, mounts.len);
	if (!mounts.len)
		vec_release(&mounts);
	pthread_rwlock_unlock(&lock);
	if (last)
		mount_free(mount);
}

/* Looking, with the lock. */

static const struct entry *find(const struct mount *mount, const char *rest)
{
	struct str parts = {0};
	uint32_t id = MAP_NONE;

	if (put_parts(&parts, rest, true))
		id = map_find(&mount->paths, str_text(&parts), parts.len);
	str_release(&parts);
	return id == MAP_NONE ? NULL : &mount->entries.at[id];
}

static enum mount_kind look(const char *path, const struct mount **mount,
                            const struct entry **entry)
{
	const char *rest;

	*mount = mount_of(path, &rest);
	if (!*mount)
		return MOUNT_OUTSIDE;
	*entry = find(*mount, rest);
	return !*entry ? MOUNT_NOTHING : (*entry)->is_dir ? MOUNT_DIR : MOUNT_FILE;
}

static enum mount_kind look_file(const char *path, struct mount_file *file, bool open)
{
	const struct mount *mount;
	const struct entry *entry;
	enum mount_kind kind;

	if (!atomic_load_explicit(&n_mounts, memory_order_acquire))
		return MOUNT_OUTSIDE;
	pthread_rwlock_rdlock(&lock);
	kind = look(path, &mount, &entry);
	if (kind == MOUNT_FILE && file) {
		*file = entry->file;
		file->fd--;
		if (open)
			file->fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	}
	pthread_rwlock_unlock(&lock);
	return kind;
}

enum mount_kind mount_look(const char *path, struct mount_file *file)
{
	return look_file(path, file, false);
}

enum mount_kind mount_open(const char *path, struct mount_file *file)
{
	return look_file(path, file, true);
}

enum mount_kind mount_list(const char *path, void *owner,
                           void (*each)(void *owner, const char *name, int64_t size_bytes))
{
	const struct mount *mount;
	const struct entry *dir;
	enum mount_kind kind;

	if (!atomic_load_explicit(&n_mounts, memory_order_acquire))
		return MOUNT_OUTSIDE;
	pthread_rwlock_rdlock(&lock);
	kind = look(path, &mount, &dir);
	for (uint32_t i = 0; kind == MOUNT_DIR && i < dir->n; i++) {
		const struct entry *entry = &mount->entries.at[mount->inside[dir->first + i]];

		each(owner, entry->name, entry->is_dir ? -1 : (int64_t)entry->file.size);
	}
	pthread_rwlock_unlock(&lock);
	return kind;
}

void mount_put_shown(struct str *out, const char *path)
{
	const struct mount *mount = NULL;
	const char *rest;

	if (atomic_load_explicit(&n_mounts, memory_order_acquire)) {
		pthread_rwlock_rdlock(&lock);
		mount = mount_of(path, &rest);
		if (mount)
			str_fmt(out, "%s%s%s", mount->path, *rest ? ": " : "", rest);
		pthread_rwlock_unlock(&lock);
	}
	if (!mount)
		str_puts(out, path);
}

const char *mount_between(const char *path)
{
	const char *between = "/", *rest;

	pthread_rwlock_rdlock(&lock);
	if (mount_of(path, &rest) && !*rest)
		between = ": ";
	pthread_rwlock_unlock(&lock);
	return between;
}
