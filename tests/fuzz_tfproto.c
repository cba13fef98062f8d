/* A ProfileProto: every node. */
#include "dump/profile/profile_proto.h"

#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = {0};
	struct profile_proto *proto = profile_proto_open(input_file(data, size), NULL, &err);

	MUST(proto || err.code);
	for (size_t i = 0; proto && i < proto->nodes.len; i++) {
		struct arena mem = {0};
		struct profile_node node;

		profile_proto_node(proto, i, &mem, &node, NULL);
		MUST(node.name && node.op && node.canonical_device && node.host_device);
		for (size_t k = 0; k < node.n_execs; k++)
			MUST(node.execs[k].devices || !node.execs[k].n_devices);
		arena_release(&mem);
	}
	profile_proto_close(proto);
	return 0;
}
