/* The only file that knows SQLite. */
#include "dump/format/database.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "dump/base/arena.h"
#include "dump/base/mem.h"
#include "dump/base/vec.h"

enum {
	STEPS_BETWEEN = 10000,           /* of SQLite's machine, between two looks at progress */
	LENGTH_MOST = 64 * 1024 * 1024,   /* bytes of a value or a row */
	SQL_MOST = 1024 * 1024,          /* bytes of a statement, those of the schema too */
	TABLES_MOST = 4096
};
#define FILLED_MOST (INT64_C(1) << 36)   /* bytes of missing pages that become zeros */

struct database {
	sqlite3 *db;
	const char *path;
	struct progress *progress;
	uint64_t n_rows;                 /* read so far */
	VEC(const char *) tables;
	unsigned char *mapped;           /* NULL: the file is read by its name */
	size_t mapped_len;
	struct err damage;
	struct arena mem;
};

struct database_rows {
	struct database *db;
	sqlite3_stmt *statement;
};

static bool failed(const struct database *db, struct err *err)
{
	if (sqlite3_errcode(db->db) == SQLITE_INTERRUPT)
		return err_at(err, ERR_CANCELLED, db->path, 0, "stopped");
	return err_at(err, ERR_FORMAT, db->path, 0, "%s", sqlite3_errmsg(db->db));
}

static int go_on(void *context)
{
	const struct database *db = context;

	return !progress_step(db->progress, db->n_rows, 0);
}

/* Opening. */

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Bytes of a page: 65536 is written as 1. 0: it can't be. */
static uint32_t page_size(const unsigned char *head)
{
	uint32_t size = (uint32_t)head[16] << 8 | head[17];

	size = size == 1 ? 65536 : size;
	return size >= 512 && !(size & (size - 1)) ? size : 0;
}

/* How many there are to be. 0: the header does not say, as an old writer changed the file last. */
static uint32_t n_pages(const unsigned char *head)
{
	return number_at(head + 24) == number_at(head + 92) ? number_at(head + 28) : 0;
}

bool database_is_cut(const unsigned char *head, uint64_t size)
{
	uint32_t page = page_size(head);

	return page && (size % page || size / page < n_pages(head));
}

const struct err *database_damage(const struct database *db)
{
	return &db->damage;
}

/* "file:PATH?..." with all that means something else in an address written as %XX. */
static void put_address(struct str *out, const char *path)
{
	str_puts(out, *path == '/' ? "file://" : "file:");
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c)
		    || strchr("/-_.~", c))
			str_putc(out, *path);
		else
			str_fmt(out, "%%%02X", c);
	}
	str_puts(out, "?mode=ro&immutable=1");
}

static void distrust(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LENGTH_MOST);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, SQL_MOST);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 0);
	sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
	sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=0", NULL, NULL, NULL);
}

/* Virtual tables have no page of their own. */
static bool list_tables(struct database *db, struct err *err)
{
	static const char sql[] = "SELECT name FROM sqlite_schema "
	                          "WHERE type = 'table' AND rootpage > 0";
	sqlite3_stmt *statement;
	int state;

	if (sqlite3_prepare_v2(db->db, sql, -1, &statement, NULL) != SQLITE_OK)
		return failed(db, err);
	while ((state = sqlite3_step(statement)) == SQLITE_ROW && db->tables.len < TABLES_MOST) {
		const char *name = (const char *)sqlite3_column_text(statement, 0);

		if (name)
			vec_push(&db->tables, arena_copy(&db->mem, name, strlen(name)));
	}
	if (state != SQLITE_ROW && state != SQLITE_DONE)
		failed(db, err);
	sqlite3_finalize(statement);
	return state == SQLITE_ROW || state == SQLITE_DONE;
}

static struct database *database_new(const char *path, struct progress *progress)
{
	struct database *db = mem_alloc(sizeof *db);

	db->path = path;
	db->progress = progress;
	return db;
}

static bool open_address(struct database *db, const char *address, struct err *err)
{
	int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
	int state = sqlite3_open_v2(address, &db->db, flags, NULL);

	if (!db->db)
		return err_at(err, ERR_LIMIT, db->path, 0, "no memory for a database");
	distrust(db->db);
	sqlite3_progress_handler(db->db, STEPS_BETWEEN, go_on, db);
	return state == SQLITE_OK || failed(db, err);
}

/* The database, or NULL with *err after what failed. */
static struct database *opened(struct database *db, bool ok, struct err *err)
{
	if (ok && list_tables(db, err))
		return db;
	if (ok && err && err->code == ERR_FORMAT && db->damage.code) {
		struct err why = *err;

		err_fill(err, ERR_FORMAT, db->path, 0, "%s (%s)", why.msg, db->damage.msg);
	}
	database_close(db);
	return NULL;
}

struct database *database_open(const char *path, struct progress *progress, struct err *err)
{
	struct database *db = database_new(path, progress);
	struct str address = {0};
	bool ok;

	put_address(&address, path);
	ok = open_address(db, address.text, err);
	str_release(&address);
	return opened(db, ok, err);
}

/* Says what is missing. Returns the bytes of whole pages. */
static off_t note_cut(struct database *db, const unsigned char *head, off_t size)
{
	uint32_t page = page_size(head), pages = n_pages(head);
	off_t whole = size / page;

	if (pages)
		err_damaged(&db->damage, DAMAGE_CUT, db->path, (uint64_t)(whole * page),
		            "%" PRIu32 " pages of %" PRIu32 " bytes, the file has %lld", pages,
		            page, (long long)whole);
	else
		err_damaged(&db->damage, DAMAGE_CUT, db->path, (uint64_t)(whole * page),
		            "a page of %" PRIu32 " bytes is cut", page);
	return whole * page;
}

/* False with errno. */
static bool map_bytes(struct database *db, int fd, off_t size)
{
	void *at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
	                fd, 0);

	if (at == MAP_FAILED)
		return false;
	db->mapped = at;
	db->mapped_len = (size_t)size;
	return true;
}

/*
 * Pages that are missing, and one that is cut, become zeros: no page of a table is, so that SQLite
 * calls it malformed rather than to find values in it. Pages beyond FILLED_MOST bytes, or beyond
 * what the system gives, stay away: the header (bytes 28 to 31) then says how many there are. False
 * with *err.
 */
static bool fill_up(struct database *db, int fd, const unsigned char *head, off_t whole,
                    struct err *err)
{
	off_t page = page_size(head), all = n_pages(head) * page, most = whole + FILLED_MOST;

	all = all <= whole ? whole + page : all < most ? all : most;
	if (!whole)
		return err_at(err, ERR_FORMAT, db->path, 0, "file is not a database (%s)",
		              db->damage.msg);
	if (ftruncate(fd, whole) < 0 || ((ftruncate(fd, all) < 0 || !map_bytes(db, fd, all))
	                                 && !map_bytes(db, fd, all = whole)))
		return err_at(err, ERR_IO, db->path, 0, "%s", strerror(errno));
	for (int i = 0; i < 4; i++)
		db->mapped[28 + i] = (unsigned char)(all / page >> (24 - 8 * i));
	return true;
}

/*
 * SQLite opens files by names only, so this one is mapped: nobody else can cut it. What it says of
 * a log beside it (bytes 18 and 19) is changed in the mapping: there is none.
 */
static bool map(struct database *db, int fd, struct err *err)
{
	unsigned char head[DATABASE_HEAD];
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_size <= 0)
		return err_at(err, ERR_FORMAT, db->path, 0, "file is not a database");
	if (pread(fd, head, sizeof head, 0) == sizeof head
	    && database_is_cut(head, (uint64_t)st.st_size)) {
		if (!fill_up(db, fd, head, note_cut(db, head, st.st_size), err))
			return false;
	} else if (!map_bytes(db, fd, st.st_size)) {
		return err_at(err, ERR_IO, db->path, 0, "%s", strerror(errno));
	}
	if (db->mapped_len > 20 && db->mapped[18] == 2 && db->mapped[19] == 2)
		db->mapped[18] = db->mapped[19] = 1;
	return true;
}

struct database *database_open_nameless(int fd, const char *path, struct progress *progress,
                                        struct err *err)
{
	struct database *db = database_new(path, progress);
	bool ok = map(db, fd, err) && open_address(db, "file::memory:", err);
	sqlite3_int64 len = (sqlite3_int64)db->mapped_len;

	if (ok && sqlite3_deserialize(db->db, "main", db->mapped, len, len,
	                              SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
		ok = failed(db, err);
	return opened(db, ok, err);
}

void database_close(struct database *db)
{
	if (!db)
		return;
	sqlite3_close(db->db);
	if (db->mapped)
		munmap(db->mapped, db->mapped_len);
	vec_release(&db->tables);
	arena_release(&db->mem);
	free(db);
}

/* Tables. */

bool database_has(struct database *db, const char *table)
{
	for (size_t i = 0; i < db->tables.len; i++)
		if (!strcmp(db->tables.at[i], table))
			return true;
	return false;
}

const char *database_suffix(struct database *db, const char *prefix, size_t i)
{
	size_t len = strlen(prefix);

	for (size_t t = 0; t < db->tables.len; t++)
		if (!strncmp(db->tables.at[t], prefix, len) && i-- == 0)
			return db->tables.at[t] + len;
	return NULL;
}

/* Rows. */

static void put_quoted(struct str *out, const char *name)
{
	str_putc(out, '"');
	for (; *name; name++) {
		if (*name == '"')
			str_putc(out, '"');
		str_putc(out, *name);
	}
	str_putc(out, '"');
}

/* Bits of the columns that a table has; computed ones are none. False with *err. */
static bool find_columns(struct database *db, const char *table, const char *const *columns,
                         size_t n, uint64_t *has, struct err *err)
{
	struct str sql = {0};
	sqlite3_stmt *statement;
	int state;

	*has = 0;
	str_puts(&sql, "PRAGMA table_info(");
	put_quoted(&sql, table);
	str_putc(&sql, ')');
	state = sqlite3_prepare_v2(db->db, sql.text, -1, &statement, NULL);
	str_release(&sql);
	if (state != SQLITE_OK)
		return failed(db, err);
	while ((state = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(statement, 1);

		for (size_t i = 0; name && i < n; i++)
			if (!sqlite3_stricmp(name, columns[i]))
				*has |= UINT64_C(1) << i;
	}
	if (state != SQLITE_DONE)
		failed(db, err);
	sqlite3_finalize(statement);
	return state == SQLITE_DONE;
}

struct database_rows *database_rows(struct database *db, const char *table,
                                    const char *const *columns, size_t n, struct err *err)
{
	struct database_rows *rows;
	sqlite3_stmt *statement;
	struct str sql = {0};
	uint64_t has;
	int state;

	if (!find_columns(db, table, columns, n, &has, err))
		return NULL;
	str_puts(&sql, "SELECT ");
	for (size_t i = 0; i < n; i++) {
		str_puts(&sql, i ? ", " : "");
		if (has >> i & 1)
			put_quoted(&sql, columns[i]);
		else
			str_puts(&sql, "NULL");
	}
	str_puts(&sql, " FROM ");
	put_quoted(&sql, table);
	state = sqlite3_prepare_v2(db->db, sql.text, -1, &statement, NULL);
	str_release(&sql);
	if (state != SQLITE_OK) {
		failed(db, err);
		return NULL;
	}
	rows = mem_alloc(sizeof *rows);
	rows->db = db;
	rows->statement = statement;
	return rows;
}

bool database_next(struct database_rows *rows, struct err *err)
{
	int state = sqlite3_step(rows->statement);

	if (state == SQLITE_ROW && rows->db->n_rows++ % 4096 == 0 && go_on(rows->db))
		return err_at(err, ERR_CANCELLED, rows->db->path, 0, "stopped");
	if ((state & 0xff) == SQLITE_CORRUPT) {
		if (!rows->db->damage.code)
			failed(rows->db, &rows->db->damage);
		return false;
	}
	if (state != SQLITE_ROW && state != SQLITE_DONE)
		return failed(rows->db, err);
	return state == SQLITE_ROW;
}

void database_rows_free(struct database_rows *rows)
{
	if (!rows)
		return;
	sqlite3_finalize(rows->statement);
	free(rows);
}

bool database_int(struct database_rows *rows, size_t column, int64_t *out)
{
	if (sqlite3_column_type(rows->statement, (int)column) != SQLITE_INTEGER)
		return false;
	*out = sqlite3_column_int64(rows->statement, (int)column);
	return true;
}

struct text database_text(struct database_rows *rows, size_t column)
{
	struct text text = { "", 0 };

	if (sqlite3_column_type(rows->statement, (int)column) == SQLITE_TEXT) {
		text.at = (const char *)sqlite3_column_text(rows->statement, (int)column);
		text.len = (size_t)sqlite3_column_bytes(rows->statement, (int)column);
	}
	return text.at ? text : (struct text){ "", 0 };
}
