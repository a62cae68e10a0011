// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// The number of the active mutant, or 0. Set before the first test.
extern int mutation_active;
/// One byte for each mutant that was reached, or NULL.
extern unsigned char *mutation_seen;

/// Returns whether a mutant is active.
static inline bool mutation_is(int number) {
    if (__builtin_expect(mutation_seen != NULL, 0)) mutation_seen[number] = 1;
    return mutation_active == number;
}

/// Ends the process because a test failed. Never returns.
void mutation_noticed(const char *test);
/// Notes what the test reached.
void mutation_test_ended(const char *test);
/// Ends the process. Never returns.
void mutation_ended(bool passed, int tests);
/// Returns whether bytes contain other bytes.
bool mutation_contains(const void *bytes, size_t count, const void *part, size_t size);
