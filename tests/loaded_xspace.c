#include "tests/suite.h"

#include "tests/loaded_xspace.h"

#include "dump/profile/xspace.h"
#include "tests/message.h"

struct trace *xspace_load(const char *path)
{
	struct err err = {0};
	struct trace *trace = trace_load(path, &xspace_source, NULL, NULL, &err);

	ck_assert_msg(trace, "%s", err.msg);
	return trace;
}

struct trace *xspace_load_made(struct made_xspace *m)
{
	struct trace *trace = xspace_load(file_of(str_text(&m->out), m->out.len));

	made_xspace_release(m);
	return trace;
}

const char *name_of(const struct trace *trace, uint32_t id)
{
	return id == MAP_NONE ? "" : trace->all.names.key[id];
}
