#include "outline.h"

// Clang embeds files in every version of C, and warns that C23 has it first.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char outline[] = {
#embed "outline.bin"
};

const unsigned char *openhealthkit_outline(void) { return outline; }

size_t openhealthkit_outline_length(void) { return sizeof outline; }
