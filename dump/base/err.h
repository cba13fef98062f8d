#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What went wrong, on the caller's stack, all zero when nothing did.
 * The code is for the program; src, off and msg are for the reader. Whoever knows the most
 * fills it in; callers pass it up untouched.
 */
enum err_code {
	ERR_NONE,
	ERR_IO,        /* the operating system said no */
	ERR_FORMAT,    /* a file is damaged or lies about its sizes */
	ERR_LIMIT,     /* larger than this program takes */
	ERR_CANCELLED, /* the user stopped it */
	ERR_MISSING,   /* a part is not there */
	ERR_UNSUPPORTED, /* sound, but beyond what this program does */
	ERR_SYNTAX,    /* the rest: what a person typed is wrong */
	ERR_TYPE,
	ERR_VALUE,
	ERR_INDEX,
	ERR_LOOKUP,
	ERR_KEY,
	ERR_REGEX,
	ERR_NAME,
	ERR_ATTRIBUTE,
	ERR_ZERO_DIVISION,
	ERR_AXIS,
	ERR_PATH,      /* no file is there */
};

/* Of ERR_FORMAT, where it is known what has become of the file. */
enum err_damage {
	DAMAGE_ANY,
	DAMAGE_CUT,    /* it ends where it should go on */
	DAMAGE_EMPTY,  /* there is nothing in it */
	DAMAGE_WHOLE,  /* it is none of its kind: there is no place to name */
};

struct err {
	enum err_code code;
	enum err_damage damage;
	uint64_t off;   /* bytes from the file's start; for typed text the column, from 0 */
	char src[256];  /* the file, cut on the left if it is long; "command" for typed text */
	char msg[384];  /* what was expected, without a full stop */
};

/* Fills in *err, NULL if nobody asks, and is false, so that `return err_at(...)` works. */
#define err_at(err, code, src, off, ...) (err_fill((err), (code), (src), (off), __VA_ARGS__), false)
/* The same of a file that is cut, or empty. */
#define err_damaged(err, damage, src, off, ...) \
	(err_fill((err), ERR_FORMAT, (src), (off), __VA_ARGS__), err_set_damage((err), (damage)))
bool err_set_damage(struct err *err, enum err_damage damage);  /* false, always */

/* What was asked for may be sound, but it could not be got: no damage of a file. */
static inline bool err_of_reading(const struct err *err)
{
	return err->code == ERR_IO || err->code == ERR_LIMIT;
}

/* Does off say where in the file it is? 0 is a place only of what was found in the file. */
static inline bool err_has_place(const struct err *err)
{
	return err->damage != DAMAGE_WHOLE &&
	       (err->off || err->code == ERR_FORMAT || err->code == ERR_UNSUPPORTED);
}
/* Puts "FILE, offset 12: what was expected", or without an offset what has no place. */
struct str;
void err_put(struct str *out, const char *file, const struct err *err);

void err_fill(struct err *err, enum err_code code, const char *src, uint64_t off,
              const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
