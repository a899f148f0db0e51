#if PostgreSQL
import CPostgreSQL
import LibraryLoading

/// The functions of libpq that the store calls, named without PQ (PostgreSQL's manual, chapter "libpq").
// The functions are the same for every thread, and none of them changes.
final class LibPQ: @unchecked Sendable {
    let clear: PQclear_function
    let cmdStatus: PQcmdStatus_function
    let cmdTuples: PQcmdTuples_function
    let connectdbParams: PQconnectdbParams_function
    let errorMessage: PQerrorMessage_function
    let exec: PQexec_function
    let execParams: PQexecParams_function
    let execPrepared: PQexecPrepared_function
    let finish: PQfinish_function
    let ftype: PQftype_function
    let getResult: PQgetResult_function
    let getisnull: PQgetisnull_function
    let getlength: PQgetlength_function
    let getvalue: PQgetvalue_function
    let nfields: PQnfields_function
    let ntuples: PQntuples_function
    let prepare: PQprepare_function
    let resultErrorField: PQresultErrorField_function
    let resultStatus: PQresultStatus_function
    let sendQueryPrepared: PQsendQueryPrepared_function
    let sendQuery: PQsendQuery_function
    let serverVersion: PQserverVersion_function
    let setNoticeProcessor: PQsetNoticeProcessor_function
    let status: PQstatus_function

    /// Loads the library at the first use.
    static func loaded() throws(LibraryError) -> LibPQ { try library.get() }

    private static let library = Result { () throws(LibraryError) in
        try LibPQ(LoadedLibrary("libpq.so.5", package: "libpq5"))
    }

    private init(_ library: LoadedLibrary) throws(LibraryError) {
        clear = try library.function("PQclear")
        cmdStatus = try library.function("PQcmdStatus")
        cmdTuples = try library.function("PQcmdTuples")
        connectdbParams = try library.function("PQconnectdbParams")
        errorMessage = try library.function("PQerrorMessage")
        exec = try library.function("PQexec")
        execParams = try library.function("PQexecParams")
        execPrepared = try library.function("PQexecPrepared")
        finish = try library.function("PQfinish")
        ftype = try library.function("PQftype")
        getResult = try library.function("PQgetResult")
        getisnull = try library.function("PQgetisnull")
        getlength = try library.function("PQgetlength")
        getvalue = try library.function("PQgetvalue")
        nfields = try library.function("PQnfields")
        ntuples = try library.function("PQntuples")
        prepare = try library.function("PQprepare")
        resultErrorField = try library.function("PQresultErrorField")
        resultStatus = try library.function("PQresultStatus")
        sendQueryPrepared = try library.function("PQsendQueryPrepared")
        sendQuery = try library.function("PQsendQuery")
        serverVersion = try library.function("PQserverVersion")
        setNoticeProcessor = try library.function("PQsetNoticeProcessor")
        status = try library.function("PQstatus")
    }
}
#endif
