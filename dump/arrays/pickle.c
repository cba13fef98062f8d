/*
 * A pickle is a program for a machine with a stack: each opcode puts a value there, or makes one of
 * those on top. A mark is a place in the stack that an opcode later takes everything from. The memo
 * keeps values by number, so that they can be had again.
 */
#include "dump/arrays/pickle.h"

#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/vec.h"

#define VALUES_MAX 10000000
#define STACK_MAX 1000000
#define ORDERED_DICT "collections.OrderedDict"

enum { STEPS_BETWEEN = 4096, NAME_MAX_LEN = 1000 };

/* Those that are data, and those that make objects. */
enum opcode {
	OP_MARK = '(', OP_STOP = '.', OP_POP = '0', OP_POP_MARK = '1', OP_BINFLOAT = 'G',
	OP_BININT = 'J', OP_BININT1 = 'K', OP_BININT2 = 'M', OP_NONE = 'N', OP_BINPERSID = 'Q',
	OP_REDUCE = 'R', OP_BINSTRING = 'T', OP_SHORT_BINSTRING = 'U', OP_BINUNICODE = 'X',
	OP_EMPTY_LIST = ']', OP_APPEND = 'a', OP_BUILD = 'b', OP_GLOBAL = 'c', OP_APPENDS = 'e',
	OP_BINGET = 'h', OP_LONG_BINGET = 'j', OP_BINPUT = 'q', OP_LONG_BINPUT = 'r',
	OP_SETITEM = 's', OP_TUPLE = 't', OP_EMPTY_TUPLE = ')', OP_SETITEMS = 'u',
	OP_EMPTY_DICT = '}', OP_BINBYTES = 'B', OP_SHORT_BINBYTES = 'C', OP_INST = 'i',
	OP_OBJ = 'o',
	/* from protocol 2 on */
	OP_PROTO = 0x80, OP_NEWOBJ = 0x81, OP_TUPLE1 = 0x85, OP_TUPLE2 = 0x86, OP_TUPLE3 = 0x87,
	OP_NEWTRUE = 0x88, OP_NEWFALSE = 0x89, OP_LONG1 = 0x8a, OP_LONG4 = 0x8b,
	/* 4 */
	OP_SHORT_BINUNICODE = 0x8c, OP_BINUNICODE8 = 0x8d, OP_BINBYTES8 = 0x8e,
	OP_EMPTY_SET = 0x8f, OP_ADDITEMS = 0x90, OP_FROZENSET = 0x91, OP_NEWOBJ_EX = 0x92,
	OP_STACK_GLOBAL = 0x93, OP_MEMOIZE = 0x94, OP_FRAME = 0x95,
};

struct machine {
	const char *path;
	uint64_t off;
	const unsigned char *first, *at, *end;
	const unsigned char *opcode;     /* the one that is done, for errors */
	pickle_known *known;
	struct arena *mem;
	VEC(struct pickle_value) stack;
	VEC(size_t) marks;
	VEC(struct pickle_value) memo;   /* PICKLE_NOTHING: none of this number */
	size_t made;
	struct err *err;
};

static uint64_t place(const struct machine *m)
{
	return m->off + (uint64_t)(m->opcode - m->first);
}

static bool wrong(struct machine *m, const char *what)
{
	return err_at(m->err, ERR_FORMAT, m->path, place(m), "a damaged pickle: %s", what);
}

static bool needs_code(struct machine *m, const char *name)
{
	return err_at(m->err, ERR_UNSUPPORTED, m->path, place(m),
	              "needs Python code to load (%.150s); not read.", name);
}

/* The stack. */

static bool push(struct machine *m, struct pickle_value value)
{
	if (m->stack.len == STACK_MAX || m->made == VALUES_MAX)
		return err_at(m->err, ERR_LIMIT, m->path, place(m),
		              "a pickle of too many values");
	m->made++;
	vec_push(&m->stack, value);
	return true;
}

/* Are there n values since the last mark? */
static bool has(struct machine *m, size_t n)
{
	size_t from = m->marks.len ? *vec_last(&m->marks) : 0;

	return m->stack.len - from >= n || wrong(m, "an opcode without its values");
}

static struct pickle_value *top(struct machine *m)
{
	return vec_last(&m->stack);
}

static bool pop_mark(struct machine *m, size_t *from)
{
	if (!m->marks.len)
		return wrong(m, "an opcode without its mark");
	*from = m->marks.at[--m->marks.len];
	return true;
}

/* What values hold. */

static void add_items(struct machine *m, struct pickle_items *to, const struct pickle_value *at,
                      size_t n)
{
	if (!n)
		return;
	if (to->len + n > to->cap) {
		size_t cap = vec_room(to->cap, to->len + n);
		struct pickle_value *larger = arena_alloc(m->mem, cap * sizeof *larger);

		if (to->len)
			memcpy(larger, to->at, to->len * sizeof *larger);
		to->at = larger;
		to->cap = cap;
	}
	memcpy(to->at + to->len, at, n * sizeof *at);
	to->len += n;
}

static struct pickle_value holder(struct machine *m, enum pickle_kind kind,
                                  const struct pickle_value *at, size_t n)
{
	struct pickle_value value = { .kind = (uint8_t)kind };

	value.items = arena_alloc(m->mem, sizeof *value.items);
	if (n) {
		value.items->at = arena_alloc(m->mem, n * sizeof *at);
		value.items->cap = n;
		add_items(m, value.items, at, n);
	}
	return value;
}

/* The n values on top become one that holds them. */
static bool gather(struct machine *m, enum pickle_kind kind, size_t n)
{
	struct pickle_value value;

	if (!has(m, n))
		return false;
	value = holder(m, kind, vec_from(&m->stack, m->stack.len - n), n);
	m->stack.len -= n;
	return push(m, value);
}

static bool gather_from_mark(struct machine *m, enum pickle_kind kind)
{
	size_t from;

	return pop_mark(m, &from) && gather(m, kind, m->stack.len - from);
}

/* The values from stack[from] on go into the one below them. */
static bool put_into(struct machine *m, enum pickle_kind kind, size_t from)
{
	size_t n = m->stack.len - from;
	struct pickle_value *into = from ? &m->stack.at[from - 1] : NULL;

	if (!into || into->kind != kind || (kind == PICKLE_DICT && n % 2))
		return wrong(m, "values without a list or dict to go into");
	add_items(m, into->items, vec_from(&m->stack, from), n);
	m->stack.len = from;
	return true;
}

static bool put_last_into(struct machine *m, enum pickle_kind kind, size_t n)
{
	return has(m, n + 1) && put_into(m, kind, m->stack.len - n);
}

static bool put_marked_into(struct machine *m, enum pickle_kind kind)
{
	size_t from;

	return pop_mark(m, &from) && put_into(m, kind, from);
}

/* Bytes of the pickle. */

static const unsigned char *take(struct machine *m, uint64_t n)
{
	const unsigned char *at = m->at;

	if (n > (uint64_t)(m->end - at)) {
		err_damaged(m->err, DAMAGE_CUT, m->path, place(m),
		            "a damaged pickle: it ends where it should go on");
		return NULL;
	}
	m->at += n;
	return at;
}

static bool take_number(struct machine *m, size_t width, uint64_t *number)
{
	const unsigned char *at = take(m, width);

	if (at)
		*number = little_endian(at, width);
	return at;
}

static bool push_int(struct machine *m, int64_t number)
{
	return push(m, (struct pickle_value){ .kind = PICKLE_INT, .number = number });
}

static bool push_small(struct machine *m, size_t width)
{
	uint64_t number;

	if (!take_number(m, width, &number))
		return false;
	return push_int(m, width == 4 ? (int32_t)(uint32_t)number : (int64_t)number);
}

/* An integer of any number of bytes, in two's complement. */
static bool push_long(struct machine *m, size_t width)
{
	struct pickle_value value = { .kind = PICKLE_FLOAT };
	uint64_t len;
	const unsigned char *at = take_number(m, width, &len) ? take(m, len) : NULL;
	bool negative = at && len && at[len - 1] & 0x80;

	if (!at)
		return false;
	if (len <= 8) {
		uint64_t number = little_endian(at, (size_t)len);

		if (negative && len < 8)
			number |= UINT64_MAX << (8 * len);
		return push_int(m, (int64_t)number);
	}
	if (len == 9 && !at[8]) {
		value.kind = PICKLE_UINT;
		value.large = little_endian(at, 8);
		return push(m, value);
	}
	while (len-- > 0)
		value.real = value.real * 256 + (negative ? 255 - at[len] : at[len]);
	if (negative)
		value.real = -value.real - 1;
	return push(m, value);
}

static bool push_float(struct machine *m)
{
	struct pickle_value value = { .kind = PICKLE_FLOAT };
	const unsigned char *at = take(m, 8);
	uint64_t bits = 0;

	if (!at)
		return false;
	for (size_t i = 0; i < 8; i++)
		bits = bits << 8 | at[i];
	memcpy(&value.real, &bits, sizeof bits);
	return push(m, value);
}

static bool push_text(struct machine *m, size_t width)
{
	struct pickle_value value = { .kind = PICKLE_TEXT };
	uint64_t len;

	if (!take_number(m, width, &len) || !(value.text = (const char *)take(m, len)))
		return false;
	value.len = (uint32_t)len;
	return push(m, value);
}

static bool push_truth(struct machine *m, bool truth)
{
	return push(m, (struct pickle_value){ .kind = PICKLE_BOOL, .truth = truth });
}

/* Names, and what is done with them. */

static bool push_name(struct machine *m, const char *module, size_t module_len, const char *name,
                      size_t len)
{
	struct pickle_value value = { .kind = PICKLE_NAME };
	char *text;

	if (module_len + len > NAME_MAX_LEN)
		return wrong(m, "a name without an end");
	text = arena_alloc(m->mem, module_len + len + 2);
	memcpy(text, module, module_len);
	text[module_len] = '.';
	memcpy(text + module_len + 1, name, len);
	value.text = text;
	value.len = (uint32_t)strlen(text);
	if (strcmp(text, ORDERED_DICT) != 0 && !m->known(text))
		return needs_code(m, text);
	return push(m, value);
}

/* A line: the bytes before the next newline, which is taken too. */
static const char *take_line(struct machine *m, size_t *len)
{
	const unsigned char *at = m->at, *end = memchr(at, '\n', (size_t)(m->end - at));

	if (!end) {
		wrong(m, "a name without an end");
		return NULL;
	}
	*len = (size_t)(end - at);
	m->at = end + 1;
	return (const char *)at;
}

static bool do_global(struct machine *m)
{
	size_t module_len, len = 0;
	const char *module = take_line(m, &module_len), *name = module ? take_line(m, &len) : NULL;

	return name && push_name(m, module, module_len, name, len);
}

static bool do_stack_global(struct machine *m)
{
	struct pickle_value name, module;

	if (!has(m, 2))
		return false;
	name = m->stack.at[--m->stack.len];
	module = m->stack.at[--m->stack.len];
	if (name.kind != PICKLE_TEXT || module.kind != PICKLE_TEXT)
		return wrong(m, "a name that is no text");
	return push_name(m, module.text, module.len, name.text, name.len);
}

/* OrderedDict(), or OrderedDict([(key, value), ...]). */
static bool make_dict(struct machine *m, const struct pickle_items *args)
{
	struct pickle_value dict = holder(m, PICKLE_DICT, NULL, 0);
	const struct pickle_value *pairs = args->len ? &args->at[0] : NULL;

	if (pairs && pairs->kind != PICKLE_LIST)
		return wrong(m, "a dict of something that is no list");
	for (size_t i = 0; pairs && i < pairs->items->len; i++) {
		const struct pickle_value *pair = &pairs->items->at[i];

		if ((pair->kind != PICKLE_TUPLE && pair->kind != PICKLE_LIST)
		    || pair->items->len != 2)
			return wrong(m, "a dict of something else than pairs");
		add_items(m, dict.items, pair->items->at, 2);
	}
	return push(m, dict);
}

static bool do_reduce(struct machine *m)
{
	struct pickle_value *pair;

	if (!has(m, 2))
		return false;
	pair = top(m) - 1;
	if (pair[0].kind != PICKLE_NAME || pair[1].kind != PICKLE_TUPLE)
		return wrong(m, "a call of something that is no name");
	if (strcmp(pair[0].text, ORDERED_DICT) != 0)
		return gather(m, PICKLE_CALL, 2);
	m->stack.len -= 2;
	return make_dict(m, pair[1].items);
}

/* What is set on a dict is dropped: it has nothing to do with what the dict holds. */
static bool do_build(struct machine *m)
{
	const struct pickle_value *target;

	if (!has(m, 2))
		return false;
	target = top(m) - 1;
	if (target->kind == PICKLE_CALL)
		return needs_code(m, target->items->at[0].text);
	if (target->kind != PICKLE_DICT)
		return wrong(m, "a state of something that has none");
	m->stack.len--;
	return true;
}

static bool do_newobj(struct machine *m)
{
	return needs_code(m, m->stack.len >= 2 && top(m)[-1].kind == PICKLE_NAME
	                             ? top(m)[-1].text : "an object");
}

/*
 * The memo. Its numbers follow each other as a pickle is written: none exceeds the pickle's length.
 */

static bool note(struct machine *m, uint64_t number)
{
	if (number >= (uint64_t)(m->end - m->first) || number >= VALUES_MAX)
		return wrong(m, "a memo of more values than there are");
	if (!has(m, 1))
		return false;
	while (m->memo.len <= number)
		vec_add(&m->memo);
	m->memo.at[number] = *top(m);
	return true;
}

static bool do_put(struct machine *m, size_t width)
{
	uint64_t number;

	return take_number(m, width, &number) && note(m, number);
}

static bool do_get(struct machine *m, size_t width)
{
	uint64_t number;

	if (!take_number(m, width, &number))
		return false;
	if (number >= m->memo.len || !m->memo.at[number].kind)
		return wrong(m, "a value of the memo that is not there");
	return push(m, m->memo.at[number]);
}

static bool do_proto(struct machine *m)
{
	uint64_t version;

	if (!take_number(m, 1, &version))
		return false;
	return (version >= 2 && version <= 5) || wrong(m, "a protocol that is not known");
}

static bool do_pop_mark(struct machine *m)
{
	size_t from;

	if (!pop_mark(m, &from))
		return false;
	m->stack.len = from;
	return true;
}

static bool do_pop(struct machine *m)
{
	if (m->marks.len && *vec_last(&m->marks) == m->stack.len)
		return do_pop_mark(m);
	if (!has(m, 1))
		return false;
	m->stack.len--;
	return true;
}

static bool do_mark(struct machine *m)
{
	if (m->marks.len == STACK_MAX)
		return err_at(m->err, ERR_LIMIT, m->path, place(m), "a pickle of too many marks");
	vec_push(&m->marks, m->stack.len);
	return true;
}

static bool do_opcode(struct machine *m, unsigned opcode)
{
	switch (opcode) {
	case OP_PROTO: return do_proto(m);
	case OP_FRAME: return take(m, 8);
	case OP_MARK: return do_mark(m);
	case OP_POP: return do_pop(m);
	case OP_POP_MARK: return do_pop_mark(m);
	case OP_NONE: return push(m, (struct pickle_value){ .kind = PICKLE_NONE });
	case OP_NEWTRUE: return push_truth(m, true);
	case OP_NEWFALSE: return push_truth(m, false);
	case OP_BININT: return push_small(m, 4);
	case OP_BININT1: return push_small(m, 1);
	case OP_BININT2: return push_small(m, 2);
	case OP_LONG1: return push_long(m, 1);
	case OP_LONG4: return push_long(m, 4);
	case OP_BINFLOAT: return push_float(m);
	case OP_SHORT_BINSTRING:
	case OP_SHORT_BINBYTES:
	case OP_SHORT_BINUNICODE: return push_text(m, 1);
	case OP_BINSTRING:
	case OP_BINBYTES:
	case OP_BINUNICODE: return push_text(m, 4);
	case OP_BINBYTES8:
	case OP_BINUNICODE8: return push_text(m, 8);
	case OP_EMPTY_TUPLE: return gather(m, PICKLE_TUPLE, 0);
	case OP_TUPLE1: return gather(m, PICKLE_TUPLE, 1);
	case OP_TUPLE2: return gather(m, PICKLE_TUPLE, 2);
	case OP_TUPLE3: return gather(m, PICKLE_TUPLE, 3);
	case OP_TUPLE: return gather_from_mark(m, PICKLE_TUPLE);
	case OP_EMPTY_DICT: return gather(m, PICKLE_DICT, 0);
	case OP_EMPTY_SET:
	case OP_EMPTY_LIST: return gather(m, PICKLE_LIST, 0);
	case OP_FROZENSET: return gather_from_mark(m, PICKLE_LIST);
	case OP_APPEND: return put_last_into(m, PICKLE_LIST, 1);
	case OP_ADDITEMS:
	case OP_APPENDS: return put_marked_into(m, PICKLE_LIST);
	case OP_SETITEM: return put_last_into(m, PICKLE_DICT, 2);
	case OP_SETITEMS: return put_marked_into(m, PICKLE_DICT);
	case OP_BINPUT: return do_put(m, 1);
	case OP_LONG_BINPUT: return do_put(m, 4);
	case OP_MEMOIZE: return note(m, m->memo.len);
	case OP_BINGET: return do_get(m, 1);
	case OP_LONG_BINGET: return do_get(m, 4);
	case OP_GLOBAL: return do_global(m);
	case OP_STACK_GLOBAL: return do_stack_global(m);
	case OP_BINPERSID: return gather(m, PICKLE_ASK, 1);
	case OP_REDUCE: return do_reduce(m);
	case OP_BUILD: return do_build(m);
	case OP_NEWOBJ:
	case OP_NEWOBJ_EX:
	case OP_OBJ: return do_newobj(m);
	case OP_INST: return do_global(m) && needs_code(m, top(m)->text);
	default: return wrong(m, "an opcode that is not known");
	}
}

/* From opcode to opcode, up to the one that says: the value is on the stack. */
static bool run(struct machine *m, struct progress *progress, struct pickle_value *out)
{
	for (size_t n = 0;; n++) {
		const unsigned char *opcode;

		if (n % STEPS_BETWEEN == 0
		    && !progress_step(progress, (uint64_t)(m->at - m->first),
		                      (uint64_t)(m->end - m->first)))
			return err_at(m->err, ERR_CANCELLED, m->path, place(m), "stopped");
		m->opcode = m->at;
		opcode = take(m, 1);
		if (!opcode)
			return false;
		if (*opcode == OP_STOP) {
			if (!has(m, 1))
				return false;
			*out = *top(m);
			return true;
		}
		if (!do_opcode(m, *opcode))
			return false;
	}
}

bool pickle_read(const char *path, uint64_t off, const void *bytes, size_t len,
                 pickle_known *known, struct arena *mem, struct progress *progress,
                 struct pickle_value *out, struct err *err)
{
	struct machine m = { .path = path, .off = off, .first = bytes, .known = known, .mem = mem,
	                     .err = err };
	bool ok;

	if (len > UINT32_MAX)
		return err_at(err, ERR_LIMIT, path, off, "a pickle of %zu bytes", len);
	m.at = m.opcode = m.first;
	m.end = m.first + len;
	ok = run(&m, progress, out);
	vec_release(&m.stack);
	vec_release(&m.marks);
	vec_release(&m.memo);
	return ok;
}
