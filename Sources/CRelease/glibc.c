// What Swift's libraries ask of glibc and older versions of it do not have. Only the released command has this.
#ifdef LICENSES

#define _GNU_SOURCE
#include <features.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// They call hypot, of which glibc 2.35 has a new version; nothing else here needs more than 2.34. The linker sends calls here (--wrap), and
// here they take the version of before, which is the same function with errno besides (glibc, NEWS of 2.35).
double __real_hypot(double x, double y);
float __real_hypotf(float x, float y);

#if defined(__x86_64__)
__asm__(".symver __real_hypot, hypot@GLIBC_2.2.5\n.symver __real_hypotf, hypotf@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver __real_hypot, hypot@GLIBC_2.17\n.symver __real_hypotf, hypotf@GLIBC_2.17");
#endif

double __wrap_hypot(double x, double y) { return __real_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return __real_hypotf(x, y); }

// The Swift of Debian's unstable release is built with a newer glibc than the command is linked with (see Packaging/arm64).
#if !__GLIBC_PREREQ(2, 38)

// Numbers of C23: they also read 0b10 if the base says so, which nobody here asks for.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

// Both return the length that they tried to make (glibc's manual, "Truncating Strings").
size_t strlcpy(char *to, const char *from, size_t size) {
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
    size_t length = strnlen(to, size);
    return length == size ? length + strlen(from) : length + strlcpy(to + length, from, size - length);
}

// libdispatch asks for sockets that systemd passed. This command has none passed (sd_listen_fds(3): 0).
int sd_listen_fds(int unset) { (void)unset; return 0; }
int sd_is_socket(int fd, int family, int type, int listening) { (void)fd; (void)family; (void)type; (void)listening; return 0; }

#endif
#endif
