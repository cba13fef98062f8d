/*
 * A walk stands at the offset of a record and leaves it only behind what it has said of it: after a
 * cancel, or when the file has grown, the same record is looked at again. What a search that came
 * to the end of the file needs is the one thing kept besides: the first offset at which a record
 * may begin that was not all there yet.
 */
#include "dump/format/tfrecord.h"

#include <inttypes.h>
#include <string.h>

#include "dump/base/bytes.h"
#include "dump/base/str.h"
#include "dump/format/crc32c.h"

enum {
	STEP_RECORDS = 256,      /* from one progress_step to the next */
	TRIES = 4,               /* the size of the file so many times is checked in vain */
};

/* A head whose length is no record's by itself is passed over without computing anything. */
static bool plausible(const unsigned char *head)
{
	return !(head[7] | head[6] | head[5] | head[4]) && head[3] < 0x80;
}

static uint32_t sum_of_length(const unsigned char *head)
{
	return crc32c_masked(crc32c(0, head, 8));
}

bool tfrecord_head(const unsigned char *head, uint64_t *len)
{
	*len = little_endian(head, 8);
	return (uint32_t)little_endian(head + 8, 4) == sum_of_length(head);
}

/* How many zeros there are from here on, at most n. */
static size_t zeros_at(const unsigned char *at, size_t n)
{
	size_t i = 0;

	for (uint64_t words[8]; n - i >= sizeof words; i += sizeof words) {
		memcpy(words, at + i, sizeof words);
		if (words[0] | words[1] | words[2] | words[3] | words[4] | words[5] | words[6]
		    | words[7])
			break;
	}
	while (i < n && !at[i])
		i++;
	return i;
}

static bool step(struct progress *progress, uint64_t done, uint64_t total, struct file *file,
                 struct err *err)
{
	return progress_step(progress, done, total) ||
	       err_at(err, ERR_CANCELLED, file->path, done, "stopped");
}

/* A whole record, with a payload of this length; false if the file has not so much. */
static bool place(const struct file *file, uint64_t off, uint64_t len, struct tfrecord *record)
{
	*record = (struct tfrecord){
		.off = off,
		.bytes = len + TFRECORD_FRAME,
		.payload = { off + TFRECORD_HEAD, len },
	};
	return record->bytes <= file->size - off;
}

/* Is the payload what was written? ERR_FORMAT, ERR_IO or ERR_CANCELLED if not. */
static bool check(struct tfrecord_walk *walk, const struct tfrecord *record, struct err *err)
{
	struct file *file = walk->file;
	const struct span *payload = &record->payload;
	const unsigned char *foot;
	uint32_t crc = 0, stored;
	size_t len;

	for (uint64_t done = 0; done < payload->len; done += len) {
		const void *bytes;

		if (!step(walk->progress, payload->off + done, file->size, file, err))
			return false;
		bytes = file_some(file, payload->off + done, &len, err);
		if (!bytes)
			return false;
		if (len > payload->len - done)
			len = (size_t)(payload->len - done);
		crc = crc32c(crc, bytes, len);
	}
	foot = file_bytes(file, payload->off + payload->len, 4, err);
	if (!foot)
		return false;
	stored = (uint32_t)little_endian(foot, 4);
	return stored == crc32c_masked(crc) ||
	       err_at(err, ERR_FORMAT, file->path, record->off,
	              "checksum %08" PRIx32 " expected behind a record's %" PRIu64
	              " byte%s, %08" PRIx32 " is there",
	              crc32c_masked(crc), payload->len, plural(payload->len), stored);
}

static bool pass_up(const struct err *why, struct err *err)
{
	if (err)
		*err = *why;
	return false;
}

/* Moves *off to the next right head, or to the end of the file. */
static bool find_head(struct tfrecord_walk *walk, uint64_t *off, struct err *err)
{
	struct file *file = walk->file;

	while (file->size - *off >= TFRECORD_HEAD) {
		const unsigned char *at;
		uint64_t len;
		size_t n, i;

		if (!step(walk->progress, *off, file->size, file, err))
			return false;
		at = file_some(file, *off, &n, err);
		if (at && n < TFRECORD_HEAD)
			at = file_bytes(file, *off, n = TFRECORD_HEAD, err);
		if (!at)
			return false;
		for (i = 0; n - i >= TFRECORD_HEAD; i++) {
			size_t zeros = at[i] ? 0 : zeros_at(at + i, n - i);

			/* The checksum of a length of 0 is not 0. */
			if (zeros >= TFRECORD_HEAD)
				i += zeros - (TFRECORD_HEAD - 1);
			if (n - i < TFRECORD_HEAD)
				break;
			if (plausible(at + i) && tfrecord_head(at + i, &len)) {
				*off += i;
				return true;
			}
		}
		*off += i;
	}
	*off = file->size;
	return true;
}

/*
 * The first record from off on that is wholly right: *found, or the end of the file. *again: the
 * first offset at which there may be one when the file has grown.
 */
static bool find_record(struct tfrecord_walk *walk, uint64_t off, uint64_t *found, uint64_t *again,
                        struct err *err)
{
	struct file *file = walk->file;
	const unsigned char *head;
	struct tfrecord record;
	uint64_t len;

	*again = file->size - off < TFRECORD_HEAD ? off : file->size - (TFRECORD_HEAD - 1);
	for (*found = off; find_head(walk, found, err); ++*found) {
		struct err why = {0};

		if (*found == file->size)
			return true;
		head = file_bytes(file, *found, TFRECORD_HEAD, err);
		if (!head)
			return false;
		tfrecord_head(head, &len);
		if (!place(file, *found, len, &record)) {
			*again = *found < *again ? *found : *again;
			continue;
		}
		if (walk->tried / TRIES > file->size || check(walk, &record, &why))
			return true;
		if (why.code != ERR_FORMAT)
			return pass_up(&why, err);
		walk->tried += record.bytes;
	}
	return false;
}

static enum tfrecord_found bad_length(struct tfrecord_walk *walk, const unsigned char *head,
                                      struct tfrecord *record, struct err *err)
{
	uint64_t off = walk->off, from = walk->search_off ? walk->search_off : off + 1;
	uint32_t stored = (uint32_t)little_endian(head + 8, 4), sum = sum_of_length(head);
	uint64_t len = little_endian(head, 8), found, again;

	if (!find_record(walk, from, &found, &again, err))
		return TFRECORD_STOPPED;
	*record = (struct tfrecord){ .off = off, .bytes = found - off };
	walk->off = found;
	walk->search_off = 0;
	if (found == walk->file->size) {
		walk->off = off;
		walk->search_off = again;
		walk->end_size = found;
	}
	if (stored != sum)
		err_fill(err, ERR_FORMAT, walk->file->path, off,
		         "checksum %08" PRIx32 " of a record's length expected, %08" PRIx32
		         " is there; %" PRIu64 " byte%s passed over", sum, stored, record->bytes,
		         plural(record->bytes));
	else
		err_fill(err, ERR_FORMAT, walk->file->path, off,
		         "a record of at most %d bytes expected, this one has %" PRIu64
		         "; %" PRIu64 " byte%s passed over", TFRECORD_LENGTH_MAX, len,
		         record->bytes, plural(record->bytes));
	return TFRECORD_BAD_LENGTH;
}

/* So many bytes were expected from here on, of what. */
static enum tfrecord_found cut(struct tfrecord_walk *walk, uint64_t wanted, const char *what,
                               struct tfrecord *record, struct err *err)
{
	uint64_t left = walk->file->size - walk->off;

	*record = (struct tfrecord){ .off = walk->off, .bytes = left };
	walk->end_size = walk->file->size;
	err_fill(err, ERR_FORMAT, walk->file->path, walk->off,
	         "%" PRIu64 " bytes of a record%s expected, the file ends after %" PRIu64, wanted,
	         what, left);
	return TFRECORD_CUT;
}

/* The record whose head is right and which is all there. */
static enum tfrecord_found whole(struct tfrecord_walk *walk, struct tfrecord *record,
                                 struct err *err)
{
	enum tfrecord_found found = TFRECORD_WHOLE;
	struct err why;

	why.code = ERR_NONE;             /* not more: this is done for each record */
	if (!check(walk, record, &why)) {
		pass_up(&why, err);
		if (why.code != ERR_FORMAT)
			return TFRECORD_STOPPED;
		found = TFRECORD_BAD_PAYLOAD;
	}
	walk->off += record->bytes;
	return found;
}

enum tfrecord_found tfrecord_next(struct tfrecord_walk *walk, struct tfrecord *record,
                                  struct err *err)
{
	struct file *file = walk->file;
	struct tfrecord here;
	const unsigned char *head;
	enum tfrecord_found found;
	uint64_t len;

	if (walk->off >= file->size || walk->end_size == file->size)
		return TFRECORD_END;
	if (walk->n_walked % STEP_RECORDS == 0 &&
	    !step(walk->progress, walk->off, file->size, file, err))
		return TFRECORD_STOPPED;
	if (file->size - walk->off < TFRECORD_HEAD)
		return cut(walk, TFRECORD_HEAD, "'s head", record, err);
	head = file_bytes(file, walk->off, TFRECORD_HEAD, err);
	if (!head)
		return TFRECORD_STOPPED;
	if (!tfrecord_head(head, &len) || !plausible(head))
		return bad_length(walk, head, record, err);
	if (!place(file, walk->off, len, &here))
		return cut(walk, here.bytes, "", record, err);
	found = whole(walk, &here, err);
	if (found == TFRECORD_STOPPED)
		return found;
	walk->n_walked++;
	*record = here;
	return found;
}
