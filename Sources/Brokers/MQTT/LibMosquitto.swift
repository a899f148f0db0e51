#if Brokers
import CMosquitto
import LibraryLoading

/// The functions of libmosquitto that a link calls, named without `mosquitto_` (its header documents them).
// The functions are the same for every thread, and none of them changes.
final class LibMosquitto: @unchecked Sendable {
    let connackString: mosquitto_connack_string_function
    let connect: mosquitto_connect_function
    let connectCallbackSet: mosquitto_connect_callback_set_function
    let destroy: mosquitto_destroy_function
    let disconnect: mosquitto_disconnect_function
    let intOption: mosquitto_int_option_function
    let loopMisc: mosquitto_loop_misc_function
    let loopRead: mosquitto_loop_read_function
    let loopWrite: mosquitto_loop_write_function
    let messageCallbackSet: mosquitto_message_callback_set_function
    let new: mosquitto_new_function
    let publish: mosquitto_publish_function
    let publishCallbackSet: mosquitto_publish_callback_set_function
    let reasonString: mosquitto_reason_string_function
    let socket: mosquitto_socket_function
    let strerror: mosquitto_strerror_function
    let subscribe: mosquitto_subscribe_function
    let subscribeCallbackSet: mosquitto_subscribe_callback_set_function
    let tlsSet: mosquitto_tls_set_function
    let userDataSet: mosquitto_user_data_set_function
    let usernamePasswordSet: mosquitto_username_pw_set_function
    let wantWrite: mosquitto_want_write_function
    let willSet: mosquitto_will_set_function

    /// Loads the library at the first use.
    static func loaded() throws(LibraryError) -> LibMosquitto { try library.get() }

    private static let library = Result { () throws(LibraryError) in
        try LibMosquitto(LoadedLibrary("libmosquitto.so.1", package: "libmosquitto1"))
    }

    private init(_ library: LoadedLibrary) throws(LibraryError) {
        connackString = try library.function("mosquitto_connack_string")
        connect = try library.function("mosquitto_connect")
        connectCallbackSet = try library.function("mosquitto_connect_callback_set")
        destroy = try library.function("mosquitto_destroy")
        disconnect = try library.function("mosquitto_disconnect")
        intOption = try library.function("mosquitto_int_option")
        loopMisc = try library.function("mosquitto_loop_misc")
        loopRead = try library.function("mosquitto_loop_read")
        loopWrite = try library.function("mosquitto_loop_write")
        messageCallbackSet = try library.function("mosquitto_message_callback_set")
        new = try library.function("mosquitto_new")
        publish = try library.function("mosquitto_publish")
        publishCallbackSet = try library.function("mosquitto_publish_callback_set")
        reasonString = try library.function("mosquitto_reason_string")
        socket = try library.function("mosquitto_socket")
        strerror = try library.function("mosquitto_strerror")
        subscribe = try library.function("mosquitto_subscribe")
        subscribeCallbackSet = try library.function("mosquitto_subscribe_callback_set")
        tlsSet = try library.function("mosquitto_tls_set")
        userDataSet = try library.function("mosquitto_user_data_set")
        usernamePasswordSet = try library.function("mosquitto_username_pw_set")
        wantWrite = try library.function("mosquitto_want_write")
        willSet = try library.function("mosquitto_will_set")
        let initialise: mosquitto_lib_init_function = try library.function("mosquitto_lib_init")
        _ = initialise()
    }
}
#endif
