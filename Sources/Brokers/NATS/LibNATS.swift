#if Brokers
import CNATS
import LibraryLoading

/// The functions of libnats that a connection calls (its header documents them).
// The functions are the same for every thread, and none of them changes.
final class LibNATS: @unchecked Sendable {
    let connect: natsConnection_Connect_function
    let connectionDestroy: natsConnection_Destroy_function
    let connectionStatus: natsConnection_Status_function
    let inboxCreate: natsInbox_Create_function
    let inboxDestroy: natsInbox_Destroy_function
    let lastError: nats_GetLastError_function
    let maxPayload: natsConnection_GetMaxPayload_function
    let messageCreate: natsMsg_Create_function
    let messageData: natsMsg_GetData_function
    let messageDataLength: natsMsg_GetDataLength_function
    let messageDestroy: natsMsg_Destroy_function
    let messageHeader: natsMsgHeader_Get_function
    let messageReply: natsMsg_GetReply_function
    let messageSubject: natsMsg_GetSubject_function
    let nextMessage: natsSubscription_NextMsg_function
    let optionsCreate: natsOptions_Create_function
    let optionsDestroy: natsOptions_Destroy_function
    let publish: natsConnection_Publish_function
    let publishRequest: natsConnection_PublishRequest_function
    let request: natsConnection_RequestMsg_function
    let setCertificates: natsOptions_LoadCATrustedCertificates_function
    let setCredentials: natsOptions_SetUserCredentialsFromFiles_function
    let setFailsWhenDisconnected: natsOptions_SetFailRequestsOnDisconnect_function
    let setHeader: natsMsgHeader_Set_function
    let setMaxReconnect: natsOptions_SetMaxReconnect_function
    let setName: natsOptions_SetName_function
    let setReconnectWait: natsOptions_SetReconnectWait_function
    let setSecure: natsOptions_SetSecure_function
    let setSeed: natsOptions_SetNKeyFromSeed_function
    let setServers: natsOptions_SetServers_function
    let setTimeout: natsOptions_SetTimeout_function
    let setUser: natsOptions_SetUserInfo_function
    let statusText: natsStatus_GetText_function
    let subscribe: natsConnection_SubscribeSync_function
    let subscriptionDestroy: natsSubscription_Destroy_function

    /// Loads the library at the first use.
    static func loaded() throws(LibraryError) -> LibNATS { try library.get() }

    /// Debian 12 has the first, Debian 13 and Ubuntu 24.04 have later ones. The functions called here are the same in
    /// all of them.
    private static let names = ["libnats.so.3.4", "libnats.so.3.7", "libnats.so.3.8", "libnats.so.3.10", "libnats.so"]

    private static let library: Result<LibNATS, LibraryError> = {
        let tried = names.lazy.map { name in
            Result { () throws(LibraryError) in try LibNATS(LoadedLibrary(name, package: "libnats3.4")) }
        }
        return tried.first { (try? $0.get()) != nil } ?? tried[0]
    }()

    private init(_ library: LoadedLibrary) throws(LibraryError) {
        connect = try library.function("natsConnection_Connect")
        connectionDestroy = try library.function("natsConnection_Destroy")
        connectionStatus = try library.function("natsConnection_Status")
        inboxCreate = try library.function("natsInbox_Create")
        inboxDestroy = try library.function("natsInbox_Destroy")
        lastError = try library.function("nats_GetLastError")
        maxPayload = try library.function("natsConnection_GetMaxPayload")
        messageCreate = try library.function("natsMsg_Create")
        messageData = try library.function("natsMsg_GetData")
        messageDataLength = try library.function("natsMsg_GetDataLength")
        messageDestroy = try library.function("natsMsg_Destroy")
        messageHeader = try library.function("natsMsgHeader_Get")
        messageReply = try library.function("natsMsg_GetReply")
        messageSubject = try library.function("natsMsg_GetSubject")
        nextMessage = try library.function("natsSubscription_NextMsg")
        optionsCreate = try library.function("natsOptions_Create")
        optionsDestroy = try library.function("natsOptions_Destroy")
        publish = try library.function("natsConnection_Publish")
        publishRequest = try library.function("natsConnection_PublishRequest")
        request = try library.function("natsConnection_RequestMsg")
        setCertificates = try library.function("natsOptions_LoadCATrustedCertificates")
        setCredentials = try library.function("natsOptions_SetUserCredentialsFromFiles")
        setFailsWhenDisconnected = try library.function("natsOptions_SetFailRequestsOnDisconnect")
        setHeader = try library.function("natsMsgHeader_Set")
        setMaxReconnect = try library.function("natsOptions_SetMaxReconnect")
        setName = try library.function("natsOptions_SetName")
        setReconnectWait = try library.function("natsOptions_SetReconnectWait")
        setSecure = try library.function("natsOptions_SetSecure")
        setSeed = try library.function("natsOptions_SetNKeyFromSeed")
        setServers = try library.function("natsOptions_SetServers")
        setTimeout = try library.function("natsOptions_SetTimeout")
        setUser = try library.function("natsOptions_SetUserInfo")
        statusText = try library.function("natsStatus_GetText")
        subscribe = try library.function("natsConnection_SubscribeSync")
        subscriptionDestroy = try library.function("natsSubscription_Destroy")
    }
}
#endif
