#ifndef DUMP_SUMMARY_H
#define DUMP_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * A summary: what a dump says without its elements, small enough to carry to where those of other
 * machines are. `tensordbg summarize` writes one, `tensordbg merge` joins some.
 *
 * The file begins with "TDBGSUM1". Frames follow: one 'H', any number of 'R', one 'E'. A frame is
 *     kind       1 byte: 'H', 'R' or 'E'
 *     length     of the payload, 4 bytes
 *     checksum   CRC-32C of kind, length and payload, 4 bytes
 *     payload    by kind:
 *
 *     H   { 1: version }
 *     R   rows: { bytes of the key shared with the row before, further bytes of the key, bytes of
 *         the value: a varint each; then the rest of the key, the value }. The first row of a
 *         frame shares nothing.
 *     E   { 1: how many rows there are, 2: CRC-32C of all bytes before this frame }
 *
 * Numbers are little-endian, but for those in keys. H, E and the values of rows are messages of
 * protocol buffers: fields in the order of their numbers, none that is 0 or empty, so that what is
 * the same has the same bytes. dump/summary/rows.h has their fields. The value of a graph is a
 * GraphDef.
 *
 * Rows are sorted by their keys, bytewise, and no key comes twice. A key is
 *     kind (1 byte), worker, run, device, node: texts that end in NUL; slot (4 bytes); debug op: a
 *     text; number (8 bytes)
 * with numbers highest byte first; what a kind has no use for is empty or 0. A summary of one
 * machine, and of many, has nothing else: no order of merging, no name of a file.
 */
#define SUMMARY_MAGIC "TDBGSUM1"
enum { SUMMARY_MAGIC_BYTES = 8, SUMMARY_FRAME_BYTES = 9 };
enum { SUMMARY_HEAD = 'H', SUMMARY_ROWS = 'R', SUMMARY_END = 'E' };
/* Older ones are read: 1 had neither events and their tensors nor steps and kernels. */
#define SUMMARY_VERSION 2
#define SUMMARY_FRAME_MAX (1u << 30)     /* bytes of a payload */
#define SUMMARY_KEY_MAX (1u << 20)       /* bytes of a key */

/*
 * Kinds of rows, and what their keys hold besides the worker.
 *   X(id, letter)
 */
#define SUMMARY_KINDS(X) \
	X(SOURCE, 'A')   /* what a summary covers: node: which dump, slot: N, number: K of K/N */ \
	X(GRAPH, 'G')    /* no worker: node: its hash, as 16 hexadecimal digits */ \
	X(RUN, 'N')      /* run */ \
	X(DEVICE, 'O')   /* run, device */ \
	X(PROBLEM, 'P')  /* run; node: file below PATH, number: offset, debug op: text */ \
	/* run: its files' name, node: what follows that; number: the offset: a DebugEvent */ \
	X(EVENT, 'R') \
	X(STEP, 'S')     /* run: its label; number: which of that label, from 0 */ \
	X(KERNEL, 'T')   /* as a step; device, node, slot, debug op: see dump/summary/rows.h */ \
	X(TENSOR, 'U')   /* as the event; slot: which of its tensors, from 0 */ \
	X(VALUE, 'V')    /* run, device, node, slot, debug op; number: which of its dumps, from 0 */

enum summary_kind {
#define X(id, letter) SUMMARY_##id = letter,
	SUMMARY_KINDS(X)
#undef X
};

struct summary_key {
	enum summary_kind kind;
	uint32_t slot;
	uint64_t number;
	/* Never NULL. Of a dump that is no run of a root the run is "". */
	const char *worker, *run, *device, *node, *debug_op;
};

void summary_put_key(struct str *out, const struct summary_key *key);
/* Texts point into bytes. False: it is none. */
bool summary_read_key(const char *bytes, size_t len, struct summary_key *key);
/* What a person calls it: "v of worker/3, run_1, loss:0". */
void summary_put_key_text(struct str *out, const struct summary_key *key);

/* FNV-1a, 64 bits: goes on from *hash, which starts as SUMMARY_HASH. */
#define SUMMARY_HASH 0xcbf29ce484222325u
uint64_t summary_hash(uint64_t hash, const void *bytes, size_t len);

/* Shard k of n, from 1, has the keys whose hash is k - 1 modulo n. */
static inline bool summary_is_in_shard(const struct str *key, uint32_t k, uint32_t n)
{
	return summary_hash(SUMMARY_HASH, str_text(key), key->len) % n == k - 1;
}

#endif
