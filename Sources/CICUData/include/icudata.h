#ifndef OPENHEALTHKIT_ICUDATA_H
#define OPENHEALTHKIT_ICUDATA_H

// Nothing to call: what is here is found by the linker, and read by Foundation.

#endif
