// Swift's libraries call hypot, of which glibc 2.35 has a new version; nothing else here needs more than 2.34. The linker sends calls here
// (--wrap), and here they take the version of before, which is the same function with errno besides (glibc, NEWS of 2.35).
#ifdef LICENSES

double __real_hypot(double x, double y);
float __real_hypotf(float x, float y);

#if defined(__x86_64__)
__asm__(".symver __real_hypot, hypot@GLIBC_2.2.5\n.symver __real_hypotf, hypotf@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver __real_hypot, hypot@GLIBC_2.17\n.symver __real_hypotf, hypotf@GLIBC_2.17");
#endif

double __wrap_hypot(double x, double y) { return __real_hypot(x, y); }
float __wrap_hypotf(float x, float y) { return __real_hypotf(x, y); }

#endif
