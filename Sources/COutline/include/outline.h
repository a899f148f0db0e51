#ifndef OPENHEALTHKIT_OUTLINE_H
#define OPENHEALTHKIT_OUTLINE_H

#include <stddef.h>

/// The contents of outline.bin: the land, lakes and borders of the world. outline.py creates the file and describes its format.
///
/// In C, which embeds a file at once: the Swift compiler takes minutes for an array of this length.
const unsigned char *openhealthkit_outline(void);
size_t openhealthkit_outline_length(void);

#endif
