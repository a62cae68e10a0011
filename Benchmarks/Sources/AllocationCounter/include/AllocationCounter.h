// SPDX-License-Identifier: Apache-2.0

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What was asked of the heap between start and stop, by all threads.
typedef struct {
    /// Calls of malloc, calloc, realloc and their aligned relatives.
    uint64_t allocations;
    /// Bytes asked for by them.
    uint64_t bytes;
} allocation_count;

/// Whether this build can count: with glibc, and without a sanitizer that stands in front of malloc itself.
bool allocation_counter_is_available(void);

/// Starts counting at zero. Before and after, a call of malloc costs one more test of a flag than without the counter.
void allocation_counter_start(void);

/// Stops counting.
allocation_count allocation_counter_stop(void);

/// Bytes of the heap that are in use, by the C library's own count; 0 where it has none.
unsigned long heap_bytes_in_use(void);

#endif
