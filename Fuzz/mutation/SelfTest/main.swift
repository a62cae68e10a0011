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
print(Mode.off.rank, Mode.soft.rank, Mode.strict.rank, Options().isStrict, "\(Options().mode)", Limits.name)
for name in ["off", "soft", "strict", "?"] { print(mode(name).map { "\($0)" } ?? "none") }
print(all([3, 9, 1, 5], 2, 6), all([3, 9, 1, 5], 2, 6, isStrict: false), all([1, 2], 1, 2), doubled([4]))
print(middle([1, 2, 3, 4, 5], 1, 4), total([1, 2, 4]))
print([first([4, 6, 9], 2), first([4], 2), first([9], nil), first([5], 3)])
print([(nil, true), (3, true), (4, true), (5, false), (3, false)].map { describe($0.0, $0.1) })
