#pragma once
#include "unfair_lock.h"
