#include "tui/colour.h"

#include <math.h>
#include <string.h>

/* The 16 as xterm shows them. */
static const struct { const char *name; int rgb; } named[COLOUR_NAMES] = {
	{ "black", 0x000000 }, { "red", 0xcd0000 }, { "green", 0x00cd00 },
	{ "yellow", 0xcdcd00 }, { "blue", 0x0000ee }, { "magenta", 0xcd00cd },
	{ "cyan", 0x00cdcd }, { "white", 0xe5e5e5 }, { "bright-black", 0x7f7f7f },
	{ "bright-red", 0xff0000 }, { "bright-green", 0x00ff00 }, { "bright-yellow", 0xffff00 },
	{ "bright-blue", 0x5c5cff }, { "bright-magenta", 0xff00ff }, { "bright-cyan", 0x00ffff },
	{ "bright-white", 0xffffff },
};

/* Digits of a base, all of them; false: there are others, or none. */
static bool parse_digits(const char *text, size_t len, int base, int *number)
{
	static const char digits[] = "0123456789abcdef";

	*number = 0;
	for (size_t i = 0; i < len; i++) {
		char c = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] + 'a' - 'A') : text[i];
		const char *digit = c ? memchr(digits, c, (size_t)base) : NULL;

		if (!digit)
			return false;
		*number = *number * base + (int)(digit - digits);
	}
	return len > 0;
}

static bool is(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(text, word, len);
}

bool colour_parse(const char *text, size_t len, int *colour)
{
	int number;

	if (is(text, len, "default")) {
		*colour = COLOUR_DEFAULT;
		return true;
	}
	for (int i = 0; i < COLOUR_NAMES; i++)
		if (is(text, len, named[i].name)) {
			*colour = i;
			return true;
		}
	if (len == 7 && *text == '#') {
		if (!parse_digits(text + 1, len - 1, 16, &number))
			return false;
		*colour = COLOUR_RGB | number;
		return true;
	}
	if (len > 3 || !parse_digits(text, len, 10, &number) || number > 255)
		return false;
	*colour = number;
	return true;
}

int colour_rgb(int colour)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int gray = 8 + 10 * (colour - 232);

	if (colour >= COLOUR_RGB)
		return colour & (COLOUR_RGB - 1);
	if (colour < COLOUR_NAMES)
		return named[colour].rgb;
	if (colour >= 232)
		return gray << 16 | gray << 8 | gray;
	colour -= 16;
	return level[colour / 36] << 16 | level[colour / 6 % 6] << 8 | level[colour % 6];
}

/* How much light a channel of a colour gives: sRGB's curve taken back. */
static double linear(int rgb, int shift)
{
	double v = (rgb >> shift & 0xff) / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* Lightness, green to red, blue to yellow. */
struct lab { double l, a, b; };

static struct lab lab_of(int colour)
{
	int rgb = colour_rgb(colour);
	double r = linear(rgb, 16), g = linear(rgb, 8), b = linear(rgb, 0);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return (struct lab){ 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
	                     1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
	                     0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s };
}

static double distance(const struct lab *x, const struct lab *y)
{
	double l = x->l - y->l, a = x->a - y->a, b = x->b - y->b;

	return l * l + a * a + b * b;
}

int colour_nearest(int colour, int first, int n)
{
	struct lab wanted;
	double least = HUGE_VAL;
	int found = colour;

	if (colour == COLOUR_DEFAULT || (colour >= first && colour < first + n))
		return colour;
	wanted = lab_of(colour);
	for (int i = first; i < first + n; i++) {
		struct lab lab = lab_of(i);
		double far = distance(&wanted, &lab);

		if (far < least) {
			least = far;
			found = i;
		}
	}
	return found;
}

double colour_luminance(int colour)
{
	int rgb = colour_rgb(colour);

	return 0.2126 * linear(rgb, 16) + 0.7152 * linear(rgb, 8) + 0.0722 * linear(rgb, 0);
}

double colour_contrast(int a, int b)
{
	double x = colour_luminance(a), y = colour_luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}
