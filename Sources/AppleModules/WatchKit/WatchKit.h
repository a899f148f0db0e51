#pragma once
#include "WatchKitForLinux.h"
