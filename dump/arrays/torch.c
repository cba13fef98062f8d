/*
 * What the pickle of torch.save calls is one of a few functions, all of which make a tensor of a
 * storage: which, from where on, its shape and strides. The storage's first element type is in its
 * name, that of newer ones in the call.
 * Source: torch/_utils.py, torch/serialization.py, torch/_tensor.py of PyTorch.
 */
#include "dump/arrays/torch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/str.h"
#include "dump/base/utf8.h"
#include "dump/model/value.h"

#define PICKLE_MOST ((size_t)1 << 30)
#define BYTES_MOST ((size_t)1 << 28)     /* of what is listed, with its names */

enum { DEPTH_MAX = 64, VISITS_MAX = 10000000, VISITS_BETWEEN = 4096 };

/* Element types; storages of the older ones have a class for each. */
static const struct type {
	const char *name, *storage;
	enum dtype dtype;        /* DTYPE_INVALID: its elements are not read */
	uint32_t bytes;
} types[] = {
	{ "float64", "DoubleStorage", DTYPE_FLOAT64, 8 },
	{ "float32", "FloatStorage", DTYPE_FLOAT32, 4 },
	{ "float16", "HalfStorage", DTYPE_FLOAT16, 2 },
	{ "bfloat16", "BFloat16Storage", DTYPE_BFLOAT16, 2 },
	{ "int64", "LongStorage", DTYPE_INT64, 8 },
	{ "int32", "IntStorage", DTYPE_INT32, 4 },
	{ "int16", "ShortStorage", DTYPE_INT16, 2 },
	{ "int8", "CharStorage", DTYPE_INT8, 1 },
	{ "uint8", "ByteStorage", DTYPE_UINT8, 1 },
	{ "bool", "BoolStorage", DTYPE_BOOL, 1 },
	{ "complex64", "ComplexFloatStorage", DTYPE_COMPLEX64, 8 },
	{ "complex128", "ComplexDoubleStorage", DTYPE_COMPLEX128, 16 },
	{ "uint16", NULL, DTYPE_UINT16, 2 },
	{ "uint32", NULL, DTYPE_UINT32, 4 },
	{ "uint64", NULL, DTYPE_UINT64, 8 },
	{ "float8_e4m3fn", NULL, DTYPE_FLOAT8_E4M3FN, 1 },
	{ "float8_e5m2", NULL, DTYPE_FLOAT8_E5M2, 1 },
	{ "float8_e4m3fnuz", NULL, DTYPE_FLOAT8_E4M3FNUZ, 1 },
	{ "float8_e5m2fnuz", NULL, DTYPE_FLOAT8_E5M2FNUZ, 1 },
	{ "float8_e8m0fnu", NULL, DTYPE_FLOAT8_E8M0FNU, 1 },
	{ "float4_e2m1fn_x2", NULL, DTYPE_INVALID, 1 },
	{ "complex32", NULL, DTYPE_INVALID, 4 },
};

#define UNTYPED "torch.storage.UntypedStorage"
#define SIZE "torch.Size"
#define PARAMETER "torch._utils._rebuild_parameter"

/* Functions that make tensors, and how many arguments they need. */
static const struct maker {
	const char *name;
	uint32_t n_args;
	bool typed;              /* the seventh is the element type */
} makers[] = {
	{ "torch._utils._rebuild_tensor", 4, false },
	{ "torch._utils._rebuild_tensor_v2", 4, false },
	{ "torch._utils._rebuild_tensor_v3", 7, true },
};

/* "torch.float32", of which *name is the second word: or its storage. NULL: no such thing. */
static const struct type *find_type(const char *name, bool storage)
{
	if (strncmp(name, "torch.", 6) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		const char *word = storage ? types[i].storage : types[i].name;

		if (word && !strcmp(word, name + 6))
			return &types[i];
	}
	return NULL;
}

static const struct maker *find_maker(const char *name)
{
	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
		if (!strcmp(makers[i].name, name))
			return &makers[i];
	return NULL;
}

static bool is_known(const char *name)
{
	return find_maker(name) || find_type(name, false) || find_type(name, true)
	       || !strcmp(name, UNTYPED) || !strcmp(name, SIZE) || !strcmp(name, PARAMETER);
}

/* A walk through the pickle. */
struct walk {
	struct torch *torch;
	const char *top;         /* the archive's first directory */
	uint64_t off;            /* of the pickle, for errors */
	struct str name;
	size_t visits, bytes;
	struct progress *progress;
	struct err *err;
};

static const char *path_of(const struct walk *w)
{
	return w->torch->zip.file->path;
}

static bool is_wrong(struct walk *w, const char *what)
{
	return err_at(w->err, ERR_FORMAT, path_of(w), w->off, "a damaged pickle: %s", what);
}

/* Calls. */

static bool is_call(const struct pickle_value *value, const char *name)
{
	return value->kind == PICKLE_CALL && !strcmp(value->items->at[0].text, name);
}

static const struct pickle_items *args_of(const struct pickle_value *call)
{
	return call->items->at[1].items;
}

/* A parameter is its tensor, and a size its tuple. */
static const struct pickle_value *unwrap(const struct pickle_value *value)
{
	for (int depth = 0; depth < DEPTH_MAX && value->kind == PICKLE_CALL; depth++) {
		if ((!is_call(value, PARAMETER) && !is_call(value, SIZE)) || !args_of(value)->len)
			return value;
		value = &args_of(value)->at[0];
	}
	return value;
}

/* A tuple of integers, into the arena. */
static bool read_ints(struct walk *w, const struct pickle_value *value, const int64_t **out,
                      size_t *n)
{
	const struct pickle_value *tuple = unwrap(value);
	int64_t *ints;

	if (tuple->kind != PICKLE_TUPLE && tuple->kind != PICKLE_LIST)
		return is_wrong(w, "a tensor without a shape");
	*n = tuple->items->len;
	ints = arena_alloc(&w->torch->mem, (*n + 1) * sizeof *ints);
	for (size_t i = 0; i < *n; i++) {
		if (tuple->items->at[i].kind != PICKLE_INT)
			return is_wrong(w, "a shape of something else than integers");
		ints[i] = tuple->items->at[i].number;
	}
	*out = ints;
	return true;
}

/* ("storage", type, key, device, elements): the member, and the type of untyped ones NULL. */
static bool read_storage(struct walk *w, const struct pickle_value *value,
                         const struct type **type, struct torch_tensor *t)
{
	const struct pickle_value *tuple = value->kind == PICKLE_ASK ? value->items->at : NULL;
	bool is_tuple = tuple && tuple->kind == PICKLE_TUPLE;
	const struct pickle_value *part = is_tuple ? tuple->items->at : NULL;
	struct str member = {0};

	if (!part || tuple->items->len < 5 || part[1].kind != PICKLE_NAME
	    || part[2].kind != PICKLE_TEXT || part[4].kind != PICKLE_INT)
		return is_wrong(w, "a tensor without a storage");
	*type = find_type(part[1].text, true);
	if (!*type && strcmp(part[1].text, UNTYPED) != 0)
		return is_wrong(w, "a storage of no known kind");
	str_fmt(&member, "%s/data/%.*s", w->top, (int)part[2].len, part[2].text);
	t->storage = zip_find(&w->torch->zip, str_text(&member));
	str_release(&member);
	return true;
}

/* Does the element furthest from the storage's start lie in it? */
static bool is_inside(const struct torch_tensor *t, uint32_t bytes)
{
	int64_t low = (int64_t)t->start, high = low, reach;

	if (t->start > INT64_MAX)
		return false;
	for (uint32_t i = 0; i < t->rank; i++)
		if (__builtin_mul_overflow(t->dim[i] - 1, t->stride[i], &reach)
		    || __builtin_add_overflow(*(reach < 0 ? &low : &high), reach,
		                              reach < 0 ? &low : &high))
			return false;
	return low >= 0 && (uint64_t)high < t->storage->size / bytes;
}

/* Whether its elements can be had; NULL: they can. */
static const char *check(struct torch_tensor *t, const struct type *type)
{
	struct shape shape = { .rank = t->rank };
	uint64_t count;

	if (t->rank > SHAPE_MAX_RANK) {
		t->rank = 0;
		return "More than 32 dimensions.";
	}
	memcpy(shape.dim, t->dim, t->rank * sizeof *t->dim);
	if (!shape_count(&shape, &count)
	    || __builtin_mul_overflow(count, type->bytes, &t->size_bytes)
	    || t->size_bytes > INT64_MAX) {
		t->size_bytes = 0;
		return "Impossible shape.";
	}
	if (!t->type)
		return "Elements of this type are not read.";
	if (!t->storage)
		return "Its storage is missing from the file.";
	return !count || is_inside(t, type->bytes) ? NULL : "It lies outside its storage.";
}

/* A view that is read with its signs changed. */
static bool is_lazy(const struct pickle_items *args, size_t from)
{
	return args->len > from && args->at[from].kind == PICKLE_DICT && args->at[from].items->len;
}

static bool add_tensor(struct walk *w, const struct maker *maker, const struct pickle_items *args)
{
	struct torch *torch = w->torch;
	struct torch_tensor t = {0};
	const struct type *type;
	size_t rank, n_strides;

	if (args->len < maker->n_args || args->at[1].kind != PICKLE_INT
	    || (maker->typed && args->at[6].kind != PICKLE_NAME))
		return is_wrong(w, "a tensor without its parts");
	if (!read_storage(w, &args->at[0], &type, &t)
	    || !read_ints(w, &args->at[2], &t.dim, &rank)
	    || !read_ints(w, &args->at[3], &t.stride, &n_strides))
		return false;
	if (maker->typed)
		type = find_type(args->at[6].text, false);
	if (!type || rank != n_strides || rank > UINT32_MAX)
		return is_wrong(w, "a tensor without its parts");
	t.name = arena_copy(&torch->mem, str_text(&w->name), w->name.len);
	t.dtype_name = type->name;
	t.type = dtype_info(type->dtype);
	t.rank = (uint32_t)rank;
	t.start = (uint64_t)args->at[1].number;
	t.why = check(&t, type);
	if (!t.why && is_lazy(args, maker->typed ? 7 : 6))
		t.why = "A conjugated or negated view: call resolve_conj or resolve_neg first.";
	vec_push(&torch->tensors, t);
	return true;
}

static bool visit(struct walk *w, const struct pickle_value *value, int depth);

static bool visit_call(struct walk *w, const struct pickle_value *value, int depth)
{
	const struct pickle_value *made = unwrap(value);
	const struct maker *maker;

	if (made != value)
		return visit(w, made, depth + 1);
	maker = find_maker(value->items->at[0].text);
	return maker ? add_tensor(w, maker, args_of(value))
	             : is_wrong(w, "a call of something that is no function");
}

/* Names. */

static void put_key(struct str *out, const struct pickle_value *key)
{
	switch (key->kind) {
	case PICKLE_TEXT:
		for (uint32_t i = 0; i < key->len; i++)
			if (key->text[i])
				str_putc(out, key->text[i]);
			else
				str_puts(out, UTF8_NUL);
		break;
	case PICKLE_INT:
		str_int(out, key->number);
		break;
	case PICKLE_BOOL:
		str_puts(out, key->truth ? "True" : "False");
		break;
	case PICKLE_FLOAT:
		str_fmt(out, "%.17g", key->real);
		break;
	case PICKLE_NONE:
		str_puts(out, "None");
		break;
	default:
		str_puts(out, "(...)");
		break;
	}
}

static bool visit_at(struct walk *w, const struct pickle_value *key,
                     const struct pickle_value *value, int depth)
{
	size_t len = w->name.len;
	bool ok;

	if (len)
		str_putc(&w->name, '.');
	put_key(&w->name, key);
	ok = visit(w, value, depth + 1);
	str_cut(&w->name, len);
	return ok;
}

static bool visit_items(struct walk *w, const struct pickle_value *value, int depth)
{
	struct pickle_items *items = value->items;
	bool is_dict = value->kind == PICKLE_DICT, ok = true;

	if (items->open || depth == DEPTH_MAX) {
		w->torch->too_deep |= !items->open;
		return true;
	}
	items->open = true;
	for (size_t i = 0; ok && i < items->len; i += is_dict ? 2 : 1) {
		struct pickle_value number = { .kind = PICKLE_INT, .number = (int64_t)i };

		ok = visit_at(w, is_dict ? &items->at[i] : &number, &items->at[i + is_dict],
		              depth);
	}
	items->open = false;
	return ok;
}

static void add_scalar(struct walk *w, const struct pickle_value *value)
{
	struct torch *torch = w->torch;

	vec_push(&torch->scalars, ((struct torch_scalar){
		.name = arena_copy(&torch->mem, str_text(&w->name), w->name.len),
		.value = *value,
	}));
}

/*
 * Goes the way of visit and copies nothing: dicts that share dicts of a small file may have more
 * values than there is memory for.
 */
static bool foresee(struct walk *w, const struct pickle_value *value, int depth, size_t name_len)
{
	const struct pickle_value *made = value->kind == PICKLE_CALL ? unwrap(value) : value;
	struct pickle_items *items = made->items;
	bool is_dict = made->kind == PICKLE_DICT, ok = true;

	if (w->visits++ == VISITS_MAX || w->bytes > BYTES_MOST)
		return err_at(w->err, ERR_LIMIT, path_of(w), w->off, "a pickle of too many values");
	if (w->visits % VISITS_BETWEEN == 0 && !progress_step(w->progress, w->visits, 0))
		return err_at(w->err, ERR_CANCELLED, path_of(w), w->off, "stopped");
	w->bytes += name_len + sizeof(struct torch_tensor);
	if ((!is_dict && made->kind != PICKLE_TUPLE && made->kind != PICKLE_LIST) || items->open
	    || depth >= DEPTH_MAX)
		return true;
	w->bytes -= name_len + sizeof(struct torch_tensor);
	items->open = true;
	for (size_t i = 0; ok && i < items->len; i += is_dict ? 2 : 1) {
		const struct pickle_value *key = &items->at[i];
		bool is_text = is_dict && key->kind == PICKLE_TEXT;

		ok = foresee(w, &items->at[i + is_dict], depth + 1 + (made != value),
		             name_len + 1 + (is_text ? key->len : 8));
	}
	items->open = false;
	return ok;
}

static bool visit(struct walk *w, const struct pickle_value *value, int depth)
{
	if (w->visits++ == VISITS_MAX)
		return err_at(w->err, ERR_LIMIT, path_of(w), w->off, "a pickle of too many values");
	if (w->visits % VISITS_BETWEEN == 0 && !progress_step(w->progress, w->visits, 0))
		return err_at(w->err, ERR_CANCELLED, path_of(w), w->off, "stopped");
	switch (value->kind) {
	case PICKLE_TUPLE:
	case PICKLE_LIST:
	case PICKLE_DICT:
		return visit_items(w, value, depth);
	case PICKLE_CALL:
		return visit_call(w, value, depth);
	case PICKLE_BOOL:
	case PICKLE_INT:
	case PICKLE_UINT:
	case PICKLE_FLOAT:
	case PICKLE_TEXT:
		add_scalar(w, value);
		return true;
	default:
		return true;
	}
}

/* The archive. */

static const struct zip_member *find_part(const struct torch *torch, const char *top,
                                          const char *name)
{
	const struct zip_member *member;
	struct str path = {0};

	str_fmt(&path, "%s/%s", top, name);
	member = zip_find(&torch->zip, path.text);
	str_release(&path);
	return member;
}

static bool is_script(const struct torch *torch, const char *top)
{
	size_t len = strlen(top);

	for (size_t i = 0; i < torch->zip.members.len; i++) {
		const char *name = torch->zip.members.at[i].name;

		if (!strncmp(name, top, len) && !strncmp(name + len, "/code/", 6))
			return true;
	}
	return find_part(torch, top, "constants.pkl");
}

static bool read_byte_order(struct torch *torch, const char *top, struct err *err)
{
	const struct zip_member *member = find_part(torch, top, "byteorder");
	char *text = member ? zip_read(&torch->zip, member, 64, NULL, err) : NULL;

	torch->big_endian = text && !strncmp(text, "big", 3);
	free(text);
	return text || !member;
}

static bool read_pickle(struct torch *torch, const char *top, struct progress *progress,
                        struct err *err)
{
	const struct zip_member *member = find_part(torch, top, "data.pkl");
	const char *path = torch->zip.file->path;
	struct walk w = { .torch = torch, .top = top, .progress = progress, .err = err };
	struct pickle_value value;
	struct span span;
	bool ok;

	if (!member)
		return err_at(err, ERR_FORMAT, path, 0, "not a PyTorch file (no data.pkl in it)");
	torch->pickle = zip_read(&torch->zip, member, PICKLE_MOST, progress, err);
	if (!torch->pickle || !zip_place(&torch->zip, member, &span, err))
		return false;
	w.off = span.off;
	ok = pickle_read(path, span.off, torch->pickle, (size_t)member->size, is_known,
	                 &torch->mem, progress, &value, err)
	     && foresee(&w, &value, 0, 0);
	w.visits = 0;
	ok = ok && visit(&w, &value, 0);
	str_release(&w.name);
	return ok;
}

bool torch_open(struct torch *torch, struct file *file, struct progress *progress,
                struct err *err)
{
	const struct zip_member *first;
	const char *top;

	if (!zip_open(&torch->zip, file, progress, err))
		return false;
	first = torch->zip.members.len ? &torch->zip.members.at[0] : NULL;
	if (first && first->head_off)
		return err_at(err, ERR_UNSUPPORTED, file->path, 0,
		              "several PyTorch files in one, as a distributed checkpoint has them: "
		              "torch.distributed.checkpoint.format_utils.dcp_to_torch_save makes "
		              "one of its directory.");
	top = first ? arena_copy(&torch->mem, first->name, strcspn(first->name, "/")) : "";
	if (is_script(torch, top))
		return err_at(err, ERR_UNSUPPORTED, file->path, 0,
		              "a TorchScript model is not read: torch.jit.load loads it.");
	return read_byte_order(torch, top, err) && read_pickle(torch, top, progress, err);
}

void torch_release(struct torch *torch)
{
	zip_release(&torch->zip);
	vec_release(&torch->tensors);
	vec_release(&torch->scalars);
	free(torch->pickle);
	arena_release(&torch->mem);
	*torch = (struct torch){0};
}
