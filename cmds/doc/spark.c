#include "cmds/doc/spark.h"

#include <math.h>
#include <string.h>

#include "cmds/doc/cut.h"
#include "dump/base/str.h"
#include "dump/base/utf8.h"

static const char *const ascii[SPARK_SIGNS] = { ".", ":", "-", "=", "+", "*", "%", "#" };
static const char *const blocks[SPARK_SIGNS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

const char *spark_sign(size_t level, bool fine)
{
	return (fine ? blocks : ascii)[level < SPARK_SIGNS ? level : SPARK_SIGNS - 1];
}

const char *spark_of(double part, bool fine)
{
	return part > 0 ? spark_sign((size_t)ceil(part * SPARK_SIGNS) - 1, fine) : " ";
}

size_t put_block_bar(struct str *out, uint64_t eighths)
{
	static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };

	for (uint64_t i = 0; i < eighths / 8; i++)
		str_puts(out, "█");
	str_puts(out, parts[eighths % 8]);
	return (size_t)((eighths + 7) / 8);
}

void put_block_box(struct str *out, const char *name, size_t columns, bool left, bool right)
{
	enum { LEAST = 4 };              /* columns for the start of a name */
	size_t room = columns > (size_t)left + right ? columns - left - right : 0, used = 0;
	size_t size = utf8_columns(name, strlen(name));

	if (left && columns)
		str_puts(out, "▕");
	if (size <= room) {
		str_puts(out, name);
		str_fill(out, ' ', size < room);
		used = size + (size < room);
	} else if (room >= LEAST) {
		put_cut(out, name, strlen(name), room - 1, false);
		str_puts(out, "…");
		used = room;
	}
	put_block_bar(out, 8 * (room - used));
	if (right && columns > left)
		str_puts(out, "▏");
}
