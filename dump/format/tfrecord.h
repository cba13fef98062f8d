#ifndef DUMP_TFRECORD_H
#define DUMP_TFRECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/format/file.h"
#include "dump/format/wire.h"

/*
 * Files of records (TFRecord), walked from record to record: what TensorFlow writes its events,
 * TensorBoard's and the debugger's, and its training data into. Not compressed.
 *
 *     0       8  length of the payload, L, little-endian, as all numbers here
 *     8       4  checksum of these 8 bytes (crc32c_masked, dump/format/crc32c.h)
 *     12      L  the payload
 *     12 + L  4  its checksum
 *
 * The next record follows at 16 + L. There is no file header, no padding and no mark to find a
 * record by. A file of 0 bytes is a sound one without records.
 *
 * A payload is a range of the file; nothing here reads it but to check it, and nothing is held of
 * a record. What is in it is the caller's to read (wire_start takes the range as it is).
 *
 *	struct tfrecord_walk walk = { .file = &file, .progress = progress };
 *	while ((found = tfrecord_next(&walk, &record, &err)) > TFRECORD_STOPPED)
 *		if (found == TFRECORD_WHOLE)
 *			take(&record.payload);
 *		else
 *			note_damage(record.off, record.bytes, &err);
 *
 * Damage ends no walk. One finding is one problem, with an ERR_FORMAT at the record's offset that
 * says what was expected:
 *
 * BAD_LENGTH   Length and checksum don't agree, or the length is beyond TFRECORD_LENGTH_MAX. Where
 *              the next record begins is then unknown, and is searched for: the first offset
 *              behind this one where a record is wholly there and wholly right, its payload's
 *              checksum too. `bytes` is what was passed over, to there or to the end of the file.
 *              Records that are damaged themselves, or cut, go with it. A payload that holds
 *              records (a file read into a tensor) may be taken for the place.
 * BAD_PAYLOAD  The head is right, the payload is not what was written. It is there to be read all
 *              the same; the walk goes on behind it.
 * CUT          The file ends within the head, the payload or its checksum. A head that is right is
 *              believed: there is no search for records within the length that it gives.
 *
 * A file that still grows. TFRECORD_END means: no more for now. It comes at the end of the file,
 * and behind a finding that reaches it (a CUT, or a BAD_LENGTH with nothing good behind it); the
 * walk then stays where that record begins. When the file has grown, open it again, give it to the
 * walk, and ask on. What was cut comes again, whole or as another CUT; a BAD_LENGTH comes again
 * with more bytes, and only the new ones are searched. So a finding at the offset of the last
 * problem takes that problem's place, and all others are final. If the file was replaced, start
 * anew: a walk that is beyond the end only says TFRECORD_END.
 */
#define TFRECORD_LENGTH_MAX INT32_MAX    /* no message is longer: protocol buffers end there */
#define TFRECORD_HEAD 12                 /* bytes: length and checksum */
#define TFRECORD_FRAME 16                /* bytes of a record besides its payload */

enum tfrecord_found {
	TFRECORD_END,            /* err is as it was, and *record too, as after STOPPED */
	TFRECORD_STOPPED,        /* ERR_IO or ERR_CANCELLED; asked again, it tries again */
	TFRECORD_WHOLE,          /* err is as it was */
	TFRECORD_BAD_LENGTH,
	TFRECORD_BAD_PAYLOAD,
	TFRECORD_CUT,
};

struct tfrecord {
	uint64_t off;            /* of the head; a walk can begin here */
	uint64_t bytes;          /* from off to what comes behind, the frame included */
	struct span payload;     /* WHOLE and BAD_PAYLOAD; all of it lies within the file */
};

/*
 * Before the first call only the first three are set, as above; a walk is a value, holds nothing,
 * and may be copied and thrown away. The window of the file moves with it.
 */
struct tfrecord_walk {
	struct file *file;
	uint64_t off;                    /* where the next record begins: 0, or a record's off */
	/* May be NULL. Counts bytes of the file, of all its bytes; looked at at least every 64 KiB
	   that are read and every few hundred records. */
	struct progress *progress;
	/* The rest is the walk's own. */
	uint64_t search_off;             /* where a search goes on when the file has grown; or 0 */
	uint64_t end_size;               /* of the file when a finding reached its end; or 0 */
	uint64_t tried;                  /* bytes checked for nothing while searching */
	unsigned n_walked;
};

/*
 * The next record, or what is there instead.
 * Work: each payload is read for its checksum. A search reads each byte, and the payload of what
 * has the head of a record. Noise hardly ever has one, but a file can be made to: so payloads
 * checked in vain are limited to a few times the size of the file over the whole walk, and from
 * there on a right head of a record within the file is believed.
 */
enum tfrecord_found tfrecord_next(struct tfrecord_walk *walk, struct tfrecord *record,
                                  struct err *err);

/* Does a record begin with these TFRECORD_HEAD bytes? *len: its payload's, whatever it is. */
bool tfrecord_head(const unsigned char *head, uint64_t *len);

#endif
