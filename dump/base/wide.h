#ifndef BASE_WIDE_H
#define BASE_WIDE_H

/*
 * Integers of 128 bits, for products and sums of two integers of 64 bits. They are no part of
 * C11; gcc and clang have them on all 64-bit systems. The program uses no other extension.
 */
__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_uint;

#endif
