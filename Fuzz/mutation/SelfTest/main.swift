// SPDX-License-Identifier: Apache-2.0

import MutationSwitch

mutation_active = CommandLine.arguments.count > 1 ? Int32(CommandLine.arguments[1]) ?? 0 : 0

var meter = Meter(limit: 4)
print(meter.charge(4), meter.charge(1), meter.spent)
meter = Meter(limit: 4)
print(meter.charge(3), meter.charge(2), meter.charge(1), meter.spent)
for (value, low, high) in [(1, 0, 2), (0, 0, 2), (2, 0, 2), (3, 0, 2), (-1, 0, 2), (2, 1, 3)] {
    print(isBetween(value, low, high), isOutside(value, low, high))
}
meter = Meter(limit: 3)
print(halves([4, 7, 9], &meter) as Any, meter.spent, halves([4], &meter) as Any)
meter = Meter(limit: 3)
print(halves([8, 6], &meter) as Any)
for value in [1, 2, 9, 10] { print(kind(value)) }
for text in ["a", "z", "az", "aa", "zz", "b"] { print((try? check(text)) as Any) }
