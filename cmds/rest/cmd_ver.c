#include "cmds/session/session.h"
#include "dump/base/version.h"

/* The keys tensordbg and tensorflow; the latter is null, as v1 dumps do not record it. */
static bool version_put_data(void *context, struct data *data, struct progress *progress,
                             struct err *err)
{
	(void)context, (void)progress, (void)err;
	data_object(data);
	data_key(data, "tensordbg");
	data_str(data, TENSORDBG_VERSION);
	data_key(data, "tensorflow");
	data_null(data);
	data_end(data);
	return true;
}

static void ver_exec(struct call *call)
{
	doc_line_put(call->out, ROLE_PLAIN, "tensordbg version: %s", TENSORDBG_VERSION);
	if (!shell_has_arrays(call->shell)) {
		doc_newline(call->out);
		doc_line_put(call->out, ROLE_PLAIN, "TensorFlow version: not recorded in a dump");
	}
	doc_typed(call->out, DATA_VALUE, version_put_data, NULL);
}

const struct cmd cmd_ver = {
	.name = "version", .alias = "ver", .summary = "Version of this program",
	.raw = true, .runless = true, .dumpless = true, .exec = ver_exec,
};
