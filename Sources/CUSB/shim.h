// The declarations of libusb, as the distribution has them. The library itself is loaded when a stick is opened. Only the module ANT
// sees this.
#include <libusb-1.0/libusb.h>

typedef __typeof__(&libusb_bulk_transfer) libusb_bulk_transfer_function;
typedef __typeof__(&libusb_claim_interface) libusb_claim_interface_function;
typedef __typeof__(&libusb_clear_halt) libusb_clear_halt_function;
typedef __typeof__(&libusb_close) libusb_close_function;
typedef __typeof__(&libusb_exit) libusb_exit_function;
typedef __typeof__(&libusb_free_device_list) libusb_free_device_list_function;
typedef __typeof__(&libusb_get_device_descriptor) libusb_get_device_descriptor_function;
typedef __typeof__(&libusb_get_device_list) libusb_get_device_list_function;
typedef __typeof__(&libusb_init) libusb_init_function;
typedef __typeof__(&libusb_open) libusb_open_function;
typedef __typeof__(&libusb_release_interface) libusb_release_interface_function;
typedef __typeof__(&libusb_reset_device) libusb_reset_device_function;
typedef __typeof__(&libusb_set_auto_detach_kernel_driver) libusb_set_auto_detach_kernel_driver_function;
