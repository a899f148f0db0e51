#ifndef OPENHEALTHKIT_RELEASE_H
#define OPENHEALTHKIT_RELEASE_H

/// The licences of everything linked into the command, in UTF-8; empty in a build that `make build` did not make.
const char *openhealthkit_licenses(void);

#endif
