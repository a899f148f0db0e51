// What the command has of ICU's data, in place of all of it: what `make` chose (Packaging/icu-data) where it makes a release with
// Swift's libraries inside. The linker takes the data here, and leaves out those of Foundation's own library, which come later.
#ifdef ICU_DATA
#include ICU_DATA
#endif

// The stack is not executed.
#ifdef __linux__
        .section .note.GNU-stack, "", %progbits
#endif
