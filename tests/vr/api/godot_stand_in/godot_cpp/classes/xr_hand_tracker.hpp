#pragma once
#include "godot_cpp/stand_in.h"
