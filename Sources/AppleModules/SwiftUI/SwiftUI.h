#pragma once
#include "SwiftUIForLinux.h"
