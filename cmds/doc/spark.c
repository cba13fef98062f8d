#include "cmds/doc/spark.h"

#include <math.h>

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
