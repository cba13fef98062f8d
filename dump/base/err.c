#include "dump/base/err.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/mount.h"

/* The end of a path says more than its beginning. */
static void put_source(char *dst, size_t size, const char *src)
{
	struct str shown = {0};

	mount_put_shown(&shown, src);
	if (shown.len < size)
		memcpy(dst, str_text(&shown), shown.len + 1);
	else
		snprintf(dst, size, "...%s", shown.text + (shown.len - (size - 4)));
	str_release(&shown);
}

void err_fill(struct err *err, enum err_code code, const char *src, uint64_t off,
              const char *fmt, ...)
{
	va_list args;

	if (!err)
		return;
	err->code = code;
	err->damage = DAMAGE_ANY;
	err->off = off;
	put_source(err->src, sizeof err->src, src ? src : "");
	va_start(args, fmt);
	vsnprintf(err->msg, sizeof err->msg, fmt, args);
	va_end(args);
}

void err_put(struct str *out, const char *file, const struct err *err)
{
	str_puts(out, file);
	if (err_has_place(err))
		str_fmt(out, ", offset %" PRIu64, err->off);
	str_fmt(out, ": %s", err->msg);
}

bool err_set_damage(struct err *err, enum err_damage damage)
{
	if (err)
		err->damage = damage;
	return false;
}
