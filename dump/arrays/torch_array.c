#include "dump/arrays/torch_array.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump/arrays/torch.h"
#include "dump/base/path.h"

enum { DIGITS_MOST = 17 };

/* The last as Hugging Face's models are saved, whole or in parts. */
static bool is_named(const char *name)
{
	static const char model[] = "pytorch_model";

	return text_ends(name, ".pt") || text_ends(name, ".pth")
	       || (!strncmp(name, model, strlen(model)) && text_ends(name, ".bin"));
}

static bool is_kind(enum file_kind kind)
{
	return kind == FILE_TORCH || kind == FILE_TORCH_OLD || kind == FILE_TORCH_SCRIPT;
}

/* Before there were archives: a pickle, of a number that says so. */
static bool is_old(struct file *file)
{
	const unsigned char *head = file_bytes(file, 0, 2, NULL);

	return head && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5;
}

/* Is each element where it would be without strides? */
static bool is_row_major(const struct torch_tensor *t)
{
	int64_t step = 1;

	for (uint32_t k = t->rank; k-- > 0; step *= t->dim[k]) {
		if (t->dim[k] == 0)
			return true;
		if (t->dim[k] != 1 && t->stride[k] != step)
			return false;
	}
	return true;
}

static const int64_t *copy_strides(const struct torch_tensor *t, struct arena *mem)
{
	int64_t *stride = arena_alloc(mem, (t->rank + 1) * sizeof *stride);

	memcpy(stride, t->stride, t->rank * sizeof *stride);
	return stride;
}

/* Where the elements of a tensor are. */
static void place(const struct torch *torch, const struct torch_tensor *t, struct array *array,
                  struct array_list *out)
{
	const struct zip_member *storage = t->storage;
	struct err err = {0};
	struct span span;

	if (!zip_place(&torch->zip, storage, &span, &err)) {
		array_unread(out, array, "Its storage: ", &err);
		return;
	}
	array->off = span.off;
	array->len = span.len;
	array->unpacked = zip_is_stored(storage) ? 0 : storage->size;
	array->skip = t->start * t->type->elem_bytes;
	array->stride = is_row_major(t) ? NULL : copy_strides(t, out->mem);
	array->big_endian = torch->big_endian;
	array->has_crc = storage->has_crc;
	array->crc = storage->crc32;
}

static void put_tensor(const struct torch *torch, const struct torch_tensor *t,
                       struct array_list *out)
{
	struct shape shape = { .rank = t->rank };
	struct array *array;

	memcpy(shape.dim, t->dim, t->rank * sizeof *shape.dim);
	array = array_add(out, *t->name ? arena_copy(out->mem, t->name, strlen(t->name)) : NULL);
	array_set_shape(out, array, &shape);
	array->dtype = t->type ? t->type->dtype : DTYPE_INVALID;
	array->type_name = t->dtype_name;
	array->size_bytes = t->size_bytes;
	array->why = t->why;
	if (t->why || !t->size_bytes)
		array->len = 0;
	else
		place(torch, t, array, out);
}

/* The shortest digits that read back to the same number. */
static void put_number(struct str *out, double number)
{
	char digits[40];

	for (int n = 1; n <= DIGITS_MOST; n++) {
		snprintf(digits, sizeof digits, "%.*g", n, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	str_puts(out, digits);
}

static void put_scalar(const struct torch_scalar *scalar, struct array_list *out)
{
	const struct pickle_value *value = &scalar->value;
	struct run_fact fact = { .kind = FACT_VALUE, .key = scalar->name };
	struct str text = {0};

	switch ((enum pickle_kind)value->kind) {
	case PICKLE_BOOL:
		str_puts(&text, value->truth ? "true" : "false");
		break;
	case PICKLE_INT:
		str_int(&text, value->number);
		break;
	case PICKLE_UINT:
		str_fmt(&text, "%" PRIu64, value->large);
		break;
	case PICKLE_FLOAT:
		fact.is_text = !isfinite(value->real);
		if (fact.is_text)
			str_puts(&text, isnan(value->real) ? "NaN"
			                : value->real > 0  ? "Infinity" : "-Infinity");
		else
			put_number(&text, value->real);
		break;
	default:
		fact.is_text = true;
		str_put(&text, value->text, value->len);
		break;
	}
	fact.text = str_text(&text);
	array_add_fact(out, &fact);
	str_release(&text);
}

static void put_all(const struct torch *torch, struct array_list *out)
{
	for (size_t i = 0; i < torch->tensors.len; i++)
		put_tensor(torch, &torch->tensors.at[i], out);
	for (size_t i = 0; i < torch->scalars.len; i++)
		put_scalar(&torch->scalars.at[i], out);
	if (torch->too_deep)
		array_warn(out, PROBLEM_UNSUPPORTED, NULL, 0,
		           "what lies deeper than 64 dicts and lists is left out");
}

static bool list(const char *path, struct array_list *out, struct err *err)
{
	struct torch torch = {0};
	struct file file;
	bool ok;

	if (!file_open(&file, path, err))
		return false;
	if (is_old(&file))
		ok = array_refuse(err, path, 0,
		                  "an old PyTorch file; save it again with torch ≥ 1.6.");
	else
		ok = torch_open(&torch, &file, out->progress, err);
	if (ok)
		put_all(&torch, out);
	torch_release(&torch);
	file_close(&file);
	return ok;
}

const struct array_format array_torch = {
	.op = "torch",
	.looks_for = "*.pt, *.pth, pytorch_model*.bin",
	.is_named = is_named,
	.is_kind = is_kind,
	.list = list,
};
