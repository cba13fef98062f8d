#ifndef TESTS_SMALL_TORCH_H
#define TESTS_SMALL_TORCH_H

/* Pieces of pickles of torch.save, as texts that stand beside each other. */

#define PK_STORAGE(class, key, elements) \
	"(X\7\0\0\0storagec" class "\nX\1\0\0\0" key "X\3\0\0\0cpuK" elements "tQ"
/* start, shape and stride are opcodes that push them; more: arguments that follow the hooks. */
#define PK_TENSOR_MORE(function, storage, start, shape, stride, more) \
	"ctorch._utils\n" function "\n(" storage start shape stride \
	"\x89" "ccollections\nOrderedDict\n)R" more "tR"
#define PK_TENSOR(storage, start, shape, stride) \
	PK_TENSOR_MORE("_rebuild_tensor_v2", storage, start, shape, stride, "")

#endif
