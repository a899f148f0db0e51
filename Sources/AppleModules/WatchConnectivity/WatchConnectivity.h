#pragma once
#include "WatchConnectivityForLinux.h"
