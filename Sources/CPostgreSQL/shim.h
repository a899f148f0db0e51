// libpq, as the distribution has it. Only the module PostgreSQLStore sees it.
#include <libpq-fe.h>
