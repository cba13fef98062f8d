#include "cmds/doc/spark.h"

#include <math.h>

#include "dump/base/str.h"

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
