// What a process of tests sets before anything else runs in it. Nothing is called:
// it is enough to be linked.
#pragma once
