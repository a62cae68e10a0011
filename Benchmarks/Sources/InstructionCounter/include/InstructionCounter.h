// SPDX-License-Identifier: Apache-2.0

#ifndef INSTRUCTION_COUNTER_H
#define INSTRUCTION_COUNTER_H

#include <stdbool.h>

/// Whether this process runs under valgrind's callgrind, and the build had valgrind's headers.
bool instruction_counter_is_running(void);

/// Starts counting the instructions of all threads at zero.
void instruction_counter_start(void);

/// Stops counting, and writes the count into the next file of `--callgrind-out-file`.
void instruction_counter_stop(void);

#endif
