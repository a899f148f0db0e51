#pragma once
#include "CombineForLinux.h"
