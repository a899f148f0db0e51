// The declarations of libpq, as the distribution has them. The library itself is loaded when a store on a server is opened. Only the
// module PostgreSQLStore sees this.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

typedef __typeof__(&PQclear) PQclear_function;
typedef __typeof__(&PQcmdStatus) PQcmdStatus_function;
typedef __typeof__(&PQcmdTuples) PQcmdTuples_function;
typedef __typeof__(&PQconnectdbParams) PQconnectdbParams_function;
typedef __typeof__(&PQerrorMessage) PQerrorMessage_function;
typedef __typeof__(&PQexec) PQexec_function;
typedef __typeof__(&PQexecParams) PQexecParams_function;
typedef __typeof__(&PQexecPrepared) PQexecPrepared_function;
typedef __typeof__(&PQfinish) PQfinish_function;
typedef __typeof__(&PQftype) PQftype_function;
typedef __typeof__(&PQgetResult) PQgetResult_function;
typedef __typeof__(&PQgetisnull) PQgetisnull_function;
typedef __typeof__(&PQgetlength) PQgetlength_function;
typedef __typeof__(&PQgetvalue) PQgetvalue_function;
typedef __typeof__(&PQnfields) PQnfields_function;
typedef __typeof__(&PQntuples) PQntuples_function;
typedef __typeof__(&PQprepare) PQprepare_function;
typedef __typeof__(&PQresultErrorField) PQresultErrorField_function;
typedef __typeof__(&PQresultStatus) PQresultStatus_function;
typedef __typeof__(&PQsendQuery) PQsendQuery_function;
typedef __typeof__(&PQsendQueryPrepared) PQsendQueryPrepared_function;
typedef __typeof__(&PQserverVersion) PQserverVersion_function;
typedef __typeof__(&PQsetNoticeProcessor) PQsetNoticeProcessor_function;
typedef __typeof__(&PQstatus) PQstatus_function;
