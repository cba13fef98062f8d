#include "cmds/session.h"
#include "cmds/version.h"

static void ver_exec(struct call *call)
{
	doc_line_put(call->out, ROLE_PLAIN, "tensordbg version: %s", TENSORDBG_VERSION);
	doc_newline(call->out);
	doc_line_put(call->out, ROLE_PLAIN, "TensorFlow version: not recorded in a dump");
}

const struct cmd cmd_ver = {
	.name = "version", .alias = "ver", .summary = "Version of this program", .raw = true, .exec = ver_exec,
};
