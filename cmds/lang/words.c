/*
 * A run of blanks splits the line unless it begins inside brackets or quotes. The two kinds of
 * spans are found independently of each other, do not nest and know no backslash; a mark per byte
 * of the line holds both.
 *
 * A redirection is looked for in the last two words only. Ours, unlike tfdbg's: a > in a word that
 * stood in quotes is text, >> appends, a word that is just | begins a shell command, and $'...' can
 * hold what the other ways of writing a word can't: both kinds of quotes, a [ without its ]. In a
 * filter's expression > and | compare and join: it may stand there without quotes.
 */
#include "cmds/lang/words.h"

#include <string.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/interval.h"
#include "cmds/lang/python.h"
#include "cmds/lang/registry.h"
#include "dump/base/utf8.h"
#include "dump/base/vec.h"

struct word {
	char *text;
	size_t off;              /* its column in the line */
	bool quoted;
};

struct line_words {
	VEC(struct word) list;
	struct arena *mem;
};

/*
 * Marks what lies strictly inside spans from a byte of `open` to the next `close` (0: the same byte
 * again).
 */
static void mark_spans(const char *line, size_t len, const char *open, char close, bool *inside)
{
	const char *end = line + len;

	for (const char *at = line; at < end; at++) {
		const char *stop;

		if (!strchr(open, *at))
			continue;
		stop = memchr(at + 1, close ? close : *at, (size_t)(end - at - 1));
		if (!stop && close)
			return;
		if (!stop)
			continue;
		memset(inside + (at - line) + 1, true, (size_t)(stop - at - 1));
		at = stop;
	}
}

static bool is_in_quotes(const char *text, size_t len)
{
	return len && (text[0] == '"' || text[0] == '\'') && text[len - 1] == text[0];
}

static bool is_escaped(const char *text, size_t len)
{
	return len >= 3 && text[0] == '$' && text[1] == '\'' && text[len - 1] == '\'';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What stands between the quotes of $'...', in the arena. */
static char *unescape(struct arena *mem, const char *text, size_t len)
{
	char *out = arena_alloc(mem, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		bool escape = text[i] == '\\';

		if (escape && len - i > 3 && text[i + 1] == 'x' && hex_digit(text[i + 2]) >= 0 &&
		    hex_digit(text[i + 3]) >= 0 && (text[i + 2] != '0' || text[i + 3] != '0')) {
			out[n++] = (char)(hex_digit(text[i + 2]) << 4 | hex_digit(text[i + 3]));
			i += 3;
		} else {
			i += escape && len - i > 1 && text[i + 1] == '\\';
			out[n++] = text[i];
		}
	}
	out[n] = '\0';
	return out;
}

static void add_word(struct line_words *words, const char *line, size_t begin, size_t end,
                     bool unquote)
{
	struct word *word = vec_add(&words->list);

	word->off = begin;
	word->quoted = is_in_quotes(line + begin, end - begin);
	if (unquote && is_escaped(line + begin, end - begin)) {
		word->quoted = true;
		word->text = unescape(words->mem, line + begin + 2, end - begin - 3);
		return;
	}
	if (word->quoted && unquote) {
		begin++;
		end -= end > begin;
	}
	word->text = arena_copy(words->mem, line + begin, end - begin);
}

/* Bytes of the blanks at the beginning of the text. */
static size_t count_blanks(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint32_t cp;
		size_t n = utf8_next(text + at, len - at, &cp);

		if (!python_space(cp))
			break;
		at += n;
	}
	return at;
}

static void cut(struct line_words *words, const char *line, size_t begin, size_t end)
{
	bool *inside = arena_alloc(words->mem, end + 1);
	bool any_blank = false;
	size_t word = begin;

	mark_spans(line + begin, end - begin, "[", ']', inside + begin);
	mark_spans(line + begin, end - begin, "\"'", 0, inside + begin);
	for (size_t at = begin; at < end;) {
		size_t n = count_blanks(line + at, end - at);

		any_blank |= n > 0;
		if (n && !inside[at]) {
			add_word(words, line, word, at, true);
			word = at + n;
		}
		at += n ? n : 1;
	}
	if (begin < end)
		add_word(words, line, word, end, any_blank);
}

static void take(struct words *out, const char *path, bool append)
{
	out->redirect = path;
	out->append = append;
}

static bool ends_with(const char *text, char c)
{
	size_t len = strlen(text);

	return len && text[len - 1] == c;
}

static bool refuse_empty(const struct word *word, struct err *err)
{
	return err_at(err, ERR_SYNTAX, "command", word->off, "Redirect file path is empty");
}

/* >> before or at the beginning of the last word. *done: it was one. */
static bool find_append(struct line_words *words, struct words *out, bool *done, struct err *err)
{
	struct word *last = vec_last(&words->list);
	struct word *before = words->list.len > 1 ? last - 1 : NULL;

	*done = true;
	if (!last->quoted && !strncmp(last->text, ">>", 2)) {
		if (!last->text[2])
			return refuse_empty(last, err);
		take(out, last->text + 2, true);
		words->list.len--;
		return true;
	}
	if (before && !before->quoted && !strcmp(before->text, ">>")) {
		take(out, last->text, true);
		words->list.len -= 2;
		return true;
	}
	*done = false;
	return true;
}

/*
 * tfdbg's five rules; the first that fits counts. What an option takes as an interval and what
 * follows = are no paths.
 */
static bool find_redirect(struct line_words *words, struct words *out, struct err *err)
{
	struct word *last = vec_last(&words->list);
	struct word *before = words->list.len > 1 ? last - 1 : NULL;
	bool before_ends = before && !before->quoted && ends_with(before->text, '>');
	char *gt = last->quoted ? NULL : strchr(last->text, '>');

	if (gt && ends_with(last->text, '>'))
		return refuse_empty(last, err);
	if (gt == last->text) {
		if (before && before->text[0] == '-' && interval_is(last->text))
			return true;
		take(out, gt + 1, false);
		words->list.len--;
	} else if (before_ends && !before->text[1]) {
		take(out, last->text, false);
		words->list.len -= 2;
	} else if (gt && !strchr(gt + 1, '>')) {
		if (gt[-1] == '=')
			return true;
		take(out, gt + 1, false);
		*gt = '\0';
	} else if (before_ends) {
		take(out, last->text, false);
		before->text[strlen(before->text) - 1] = '\0';
		words->list.len--;
	}
	return true;
}

/* What follows the first word that is just |, up to the end of the line. */
static bool find_pipe(struct line_words *words, const char *line, size_t end, struct words *out,
                      struct err *err)
{
	for (size_t i = 0; i < words->list.len; i++) {
		const struct word *word = &words->list.at[i];
		size_t from = word->off + 1;

		if (word->quoted || strcmp(word->text, "|"))
			continue;
		from += count_blanks(line + from, end - from);
		if (from == end)
			return err_at(err, ERR_SYNTAX, "command", word->off,
			              "Pipe command is empty");
		out->pipe = arena_copy(words->mem, line + from, end - from);
		words->list.len = i;
		break;
	}
	return true;
}

/*
 * Of commands whose words may hold > themselves: only a word that is or begins with it redirects.
 */
static bool find_redirect_word(struct line_words *words, struct words *out, struct err *err)
{
	struct word *last = vec_last(&words->list);
	struct word *before = words->list.len > 1 ? last - 1 : NULL;

	if (!last->quoted && last->text[0] == '>') {
		if (!last->text[1])
			return refuse_empty(last, err);
		take(out, last->text + 1, false);
		words->list.len--;
	} else if (before && !before->quoted && !strcmp(before->text, ">")) {
		take(out, last->text, false);
		words->list.len -= 2;
	}
	return true;
}

static bool takes_whole_words(const struct line_words *words)
{
	const struct cmd *cmd = cmd_find(words->list.at[0].text);

	return cmd && cmd->whole_words;
}

static bool is_option(const struct word *word)
{
	return !word->quoted && (!strncmp(word->text, "--", 2) || !strcmp(word->text, "-o"));
}

/*
 * "filter add NAME max > 50": the expression is one word, up to the end of the line or to the
 * options behind it. In quotes it is a word like others. False: the line is none of these.
 */
static bool join_expression(struct line_words *words, const char *line, size_t end)
{
	struct word *word = words->list.at;
	size_t n = words->list.len, first = 2, behind;

	if (n < 4 || strcmp(word[0].text, "filter") != 0 || strcmp(word[1].text, "add") != 0)
		return false;
	while (first < n && is_option(&word[first]))
		first++;
	first++;                         /* the name */
	if (first >= n || word[first].quoted || is_option(&word[first]))
		return false;
	for (behind = first; behind < n && !is_option(&word[behind]); behind++)
		;
	end = behind < n ? word[behind].off : end;
	while (end && python_space((unsigned char)line[end - 1]))
		end--;
	word[first].text = arena_copy(words->mem, line + word[first].off, end - word[first].off);
	word[first].quoted = true;
	memmove(&word[first + 1], &word[behind], (n - behind) * sizeof *word);
	words->list.len -= behind - first - 1;
	return true;
}

bool words_split(const char *line, struct arena *mem, struct words *out, struct err *err)
{
	struct line_words words = { .mem = mem };
	struct words made = {0};
	size_t len = strlen(line);
	const char *text = python_strip(line, &len);
	size_t begin = (size_t)(text - line);
	bool done, ok;

	cut(&words, line, begin, begin + len);
	done = join_expression(&words, line, begin + len);
	ok = done || find_pipe(&words, line, begin + len, &made, err);
	if (ok && !done && words.list.len)
		ok = find_append(&words, &made, &done, err);
	if (ok && !done && words.list.len)
		ok = takes_whole_words(&words) ? find_redirect_word(&words, &made, err) :
		                                 find_redirect(&words, &made, err);
	if (ok) {
		made.len = words.list.len;
		made.at = arena_alloc(mem, (made.len + 1) * sizeof *made.at);
		made.quoted = arena_alloc(mem, made.len + 1);
		for (size_t i = 0; i < made.len; i++) {
			made.at[i] = words.list.at[i].text;
			made.quoted[i] = words.list.at[i].quoted;
		}
		*out = made;
	}
	vec_release(&words.list);
	return ok;
}

/* Writing. */

/* Has every [ its ]? Otherwise it takes the blanks up to a later word's. */
static bool closes_brackets(const char *word)
{
	const char *last = strrchr(word, '[');

	return !last || strchr(last, ']');
}

/* Would the line be cut at a blank of this word, which holds no quotes? */
static bool has_open_blank(const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0; at < len;) {
		if (count_blanks(word + at, len - at))
			return true;
		if (word[at] == '[')
			at += strcspn(word + at, "]");
		at++;
	}
	return false;
}

static bool has_control(const char *word)
{
	for (; *word; word++)
		if ((unsigned char)*word < ' ' || *word == 0x7f)
			return true;
	return false;
}

static void put_escaped(struct str *out, const char *word)
{
	str_puts(out, "$'");
	for (; *word; word++)
		if ((unsigned char)*word < ' ' || *word == 0x7f || strchr("'[", *word))
			str_fmt(out, "\\x%02x", (unsigned)(unsigned char)*word);
		else if (*word == '\\')
			str_puts(out, "\\\\");
		else
			str_putc(out, *word);
	str_putc(out, '\'');
}

void words_put(struct str *out, const char *word)
{
	bool two = strchr(word, '"'), one = strchr(word, '\'');
	const char *quote = two ? "'" : "\"";

	if ((two && one) || has_control(word) || !closes_brackets(word))
		put_escaped(out, word);
	else if (!*word || two || one || strchr(word, '>') || !strcmp(word, "|") ||
	         has_open_blank(word))
		str_fmt(out, "%s%s%s", quote, word, quote);
	else
		str_puts(out, word);
}

void words_put_with(struct str *out, const char *begin, const char *word)
{
	str_fmt(out, "%s ", begin);
	words_put(out, word);
}

bool word_is(const char *typed, size_t len, const char *name)
{
	size_t at = 0;

	for (size_t i = 0; name[i]; i++, at++) {
		bool in_gray = i >= 2 && !strncmp(name + i - 2, "gray", 4);

		if (at < len && typed[at] == 'u' && i >= 4 && !strncmp(name + i - 4, "color", 5))
			at++;
		if (at >= len || (typed[at] != name[i] && !(in_gray && typed[at] == 'e')))
			return false;
	}
	return at == len;
}
