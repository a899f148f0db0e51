// libdbus-1, as the distribution has it. Only the module Bluetooth sees it.
#include <dbus/dbus.h>
