/*
 * A list of words, looked for in this order wherever they are in the name, in upper or lower case:
 * an earlier word takes what a later one would claim ("AllReduce" is no reduction).
 */
#include "cmds/profile/family.h"

#include <string.h>
#include <strings.h>

#include "dump/profile/time_parts.h"

static const struct { const char *word; enum family family; } words[] = {
	{ "norm", FAMILY_NORM }, { "softmax", FAMILY_NORM }, { "lrn", FAMILY_NORM },
	{ "bn_fw", FAMILY_NORM }, { "bn_bw", FAMILY_NORM },
	{ "convert", FAMILY_ELEMENTWISE }, { "biasaddgrad", FAMILY_REDUCTION },
	{ "matmul", FAMILY_MATMUL }, { "conv", FAMILY_MATMUL }, { "gemm", FAMILY_MATMUL },
	{ "gemv", FAMILY_MATMUL }, { "einsum", FAMILY_MATMUL }, { "cudnn", FAMILY_MATMUL },
	{ "cutlass", FAMILY_MATMUL }, { "winograd", FAMILY_MATMUL }, { "wgrad", FAMILY_MATMUL },
	{ "dgrad", FAMILY_MATMUL }, { "xmma", FAMILY_MATMUL },
	{ "reduc", FAMILY_REDUCTION }, { "pool", FAMILY_REDUCTION },
	{ "sum", FAMILY_REDUCTION },
	{ "mean", FAMILY_REDUCTION }, { "argm", FAMILY_REDUCTION }, { "prod", FAMILY_REDUCTION },
	{ "l2loss", FAMILY_REDUCTION },
	{ "memcpy", FAMILY_COPY }, { "memset", FAMILY_COPY }, { "copy", FAMILY_COPY },
	{ "transpose", FAMILY_COPY }, { "concat", FAMILY_COPY }, { "split", FAMILY_COPY },
	{ "slice", FAMILY_COPY }, { "gather", FAMILY_COPY }, { "scatter", FAMILY_COPY },
	{ "pad", FAMILY_COPY }, { "pack", FAMILY_COPY }, { "tile", FAMILY_COPY },
	{ "reshape", FAMILY_COPY }, { "shuffle", FAMILY_COPY }, { "swapdimension", FAMILY_COPY },
	{ "_send", FAMILY_COPY }, { "_recv", FAMILY_COPY },
	{ "const", FAMILY_CONTROL }, { "noop", FAMILY_CONTROL }, { "switch", FAMILY_CONTROL },
	{ "merge", FAMILY_CONTROL }, { "enter", FAMILY_CONTROL }, { "exit", FAMILY_CONTROL },
	{ "nextiteration", FAMILY_CONTROL }, { "loopcond", FAMILY_CONTROL },
	{ "trigger", FAMILY_CONTROL }, { "placeholder", FAMILY_CONTROL },
	{ "variable", FAMILY_CONTROL }, { "identity", FAMILY_CONTROL },
	{ "shape", FAMILY_CONTROL }, { "_source", FAMILY_CONTROL }, { "_sink", FAMILY_CONTROL },
	{ "eigen", FAMILY_ELEMENTWISE }, { "add", FAMILY_ELEMENTWISE },
	{ "sub", FAMILY_ELEMENTWISE }, { "mul", FAMILY_ELEMENTWISE },
	{ "div", FAMILY_ELEMENTWISE }, { "relu", FAMILY_ELEMENTWISE },
	{ "elu", FAMILY_ELEMENTWISE }, { "sigmoid", FAMILY_ELEMENTWISE },
	{ "tanh", FAMILY_ELEMENTWISE }, { "exp", FAMILY_ELEMENTWISE },
	{ "log", FAMILY_ELEMENTWISE }, { "sqrt", FAMILY_ELEMENTWISE },
	{ "pow", FAMILY_ELEMENTWISE }, { "neg", FAMILY_ELEMENTWISE },
	{ "square", FAMILY_ELEMENTWISE }, { "reciprocal", FAMILY_ELEMENTWISE },
	{ "cast", FAMILY_ELEMENTWISE }, { "select", FAMILY_ELEMENTWISE },
	{ "equal", FAMILY_ELEMENTWISE }, { "greater", FAMILY_ELEMENTWISE },
	{ "less", FAMILY_ELEMENTWISE }, { "abs", FAMILY_ELEMENTWISE },
	{ "imum", FAMILY_ELEMENTWISE }, { "floor", FAMILY_ELEMENTWISE },
	{ "apply", FAMILY_ELEMENTWISE }, { "fusion", FAMILY_ELEMENTWISE },
	{ "elementwise", FAMILY_ELEMENTWISE },
};

/* FAMILY_OTHER: none of the words is in name[0..len). */
static enum family find(const char *name, size_t len)
{
	if (name_is_collective(name))
		return FAMILY_COLLECTIVE;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t word_len = strlen(words[i].word);

		for (size_t at = 0; at + word_len <= len; at++)
			if (!strncasecmp(name + at, words[i].word, word_len))
				return words[i].family;
	}
	return FAMILY_OTHER;
}

/* Types and arguments of a kernel say little of what it does. */
enum role family_of(const char *op, const char *kernel)
{
	enum family family = find(op, strlen(op));

	if (family == FAMILY_OTHER)
		family = find(kernel, strcspn(kernel, "<("));
	return (enum role)family;
}
