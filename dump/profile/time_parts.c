/* Names that NCCL, XLA, TensorFlow and PyTorch give; upper and lower case are the same. */
#include "dump/profile/time_parts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Does the text begin with the word, '-' and '_' left out? */
static bool begins_with(const char *text, const char *word)
{
	for (; *word; text++) {
		if (*text == '-' || *text == '_')
			continue;
		if (tolower((unsigned char)*text) != *word)
			return false;
		word++;
	}
	return true;
}

/* "ncclDevKernel_AllReduce", "all-reduce-start.1"; types and arguments say nothing. */
bool name_is_collective(const char *name)
{
	static const char *const words[] = {
		"nccl", "rccl", "allreduce", "allgather", "reducescatter", "alltoall", "collective",
	};
	size_t len = strcspn(name, "<(");

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t at = 0; at < len; at++)
			if (tolower((unsigned char)name[at]) == *words[i]
			    && begins_with(name + at, words[i]))
				return true;
	return false;
}

/* Of inputs and outputs the beginning counts; compilers are called by many names. */
static const struct { const char *sign; enum time_part part; } beginnings[] = {
	{ "IteratorGetNext", PART_INPUT }, { "enumerate(DataLoader)", PART_INPUT },
	{ "QueueDequeue", PART_INPUT }, { "Infeed", PART_INPUT }, { "Outfeed", PART_OUTPUT },
};
static const char *const compilers[] = {
	"CompileAndLoad", "backend_compile", "XlaCompil", "dynamo_timed", "compile_fx",
};

static bool is_at(const char *text, size_t len, const char *sign)
{
	return len >= strlen(sign) && !strncasecmp(text, sign, strlen(sign));
}

enum time_part part_of_host_name(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (is_at(name, len, beginnings[i].sign))
			return beginnings[i].part;
	for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++)
		for (size_t at = 0; at < len; at++)
			if (is_at(name + at, len - at, compilers[i]))
				return PART_COMPILE;
	return PART_OTHER;
}
