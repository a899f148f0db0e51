#include "release.h"

#ifdef LICENSES
extern const char openhealthkit_licenses_text[];
const char *openhealthkit_licenses(void) { return openhealthkit_licenses_text; }
#else
const char *openhealthkit_licenses(void) { return ""; }
#endif
