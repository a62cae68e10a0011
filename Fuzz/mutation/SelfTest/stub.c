// SPDX-License-Identifier: Apache-2.0
// Stands for the tests in the tool's self-test. The names of the tests and the number of the mutant decide what happens.
#include "MutationSwitch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mutation_run(const char *configuration) {
    if (mutation_active == 1 || strstr(configuration, "fails")) mutation_noticed("A.B/c()/d.swift:1:2");
    if (mutation_active == 2) abort();
    while (mutation_active == 3) pause();
    mutation_is(4);
    mutation_test_ended("A.B\\/c()\\/d.swift:1:2");
    if (mutation_is(5)) mutation_noticed("A.B/e()/d.swift:3:4");
    mutation_test_ended("A.B\\/e()\\/d.swift:3:4");
    mutation_ended(true, strstr(configuration, "nothing") ? 0 : 1);
}

// For a server that is compiled with -Dfork=refused.
pid_t refused(void) { return -1; }

__attribute__((weak)) int main(void) { return 64; }
