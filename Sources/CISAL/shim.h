// The inflating half of ISA-L (Debian's libisal-dev), for builds with the trait
// ISAL.
#pragma once

#include <isa-l.h>
