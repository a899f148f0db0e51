// The declarations of libmosquitto, as the distribution has them. The library itself is loaded when a broker is named. Only the module
// Brokers sees this.
#include <mosquitto.h>

typedef __typeof__(&mosquitto_connack_string) mosquitto_connack_string_function;
typedef __typeof__(&mosquitto_connect) mosquitto_connect_function;
typedef __typeof__(&mosquitto_connect_callback_set) mosquitto_connect_callback_set_function;
typedef __typeof__(&mosquitto_destroy) mosquitto_destroy_function;
typedef __typeof__(&mosquitto_disconnect) mosquitto_disconnect_function;
typedef __typeof__(&mosquitto_int_option) mosquitto_int_option_function;
typedef __typeof__(&mosquitto_lib_init) mosquitto_lib_init_function;
typedef __typeof__(&mosquitto_loop_misc) mosquitto_loop_misc_function;
typedef __typeof__(&mosquitto_loop_read) mosquitto_loop_read_function;
typedef __typeof__(&mosquitto_loop_write) mosquitto_loop_write_function;
typedef __typeof__(&mosquitto_message_callback_set) mosquitto_message_callback_set_function;
typedef __typeof__(&mosquitto_new) mosquitto_new_function;
typedef __typeof__(&mosquitto_publish) mosquitto_publish_function;
typedef __typeof__(&mosquitto_publish_callback_set) mosquitto_publish_callback_set_function;
typedef __typeof__(&mosquitto_reason_string) mosquitto_reason_string_function;
typedef __typeof__(&mosquitto_socket) mosquitto_socket_function;
typedef __typeof__(&mosquitto_strerror) mosquitto_strerror_function;
typedef __typeof__(&mosquitto_subscribe) mosquitto_subscribe_function;
typedef __typeof__(&mosquitto_subscribe_callback_set) mosquitto_subscribe_callback_set_function;
typedef __typeof__(&mosquitto_tls_set) mosquitto_tls_set_function;
typedef __typeof__(&mosquitto_user_data_set) mosquitto_user_data_set_function;
typedef __typeof__(&mosquitto_username_pw_set) mosquitto_username_pw_set_function;
typedef __typeof__(&mosquitto_want_write) mosquitto_want_write_function;
typedef __typeof__(&mosquitto_will_set) mosquitto_will_set_function;
