// OpenSSL's libcrypto (3.0 or newer), as the distribution has it: keys, certificates and hashes. TLS is NIOSSL's.
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
