// What `make` adds to a release: ICU's data in place of all of Foundation's (Packaging/icu-data), and the licences of what is linked
// (Packaging/licenses). The linker takes the data here, and leaves out those of Foundation's own library, which come later.
#ifdef ICU_DATA
#include ICU_DATA
#endif
#ifdef LICENSES
#include LICENSES
#endif

// The stack is not executed.
#ifdef __linux__
        .section .note.GNU-stack, "", %progbits
#endif
