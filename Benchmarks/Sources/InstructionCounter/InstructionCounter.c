// SPDX-License-Identifier: Apache-2.0

#include "InstructionCounter.h"

#if __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

bool instruction_counter_is_running(void) { return RUNNING_ON_VALGRIND != 0; }

void instruction_counter_start(void) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

void instruction_counter_stop(void) {
    CALLGRIND_DUMP_STATS;
    CALLGRIND_STOP_INSTRUMENTATION;
}

#else

bool instruction_counter_is_running(void) { return false; }
void instruction_counter_start(void) {}
void instruction_counter_stop(void) {}

#endif
