// Counts calls of malloc, calloc and realloc in the process it is linked into: glibc lets an executable bring its own.
#pragma once
long allocation_count(void);
