// The kernel's socket addresses for Bluetooth, from libbluetooth's headers. Nothing is linked.
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>
