#include "cmds/summary/output.h"

#include <string.h>

struct writer *summary_output(const char *path, struct err *err)
{
	return writer_open(strcmp(path, "-") ? path : "/dev/stdout", WRITER_REPLACE, err);
}
