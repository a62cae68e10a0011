// SPDX-License-Identifier: Apache-2.0

// One place for each operator. Every mutant of this file changes the result.

struct Meter {
    var spent = 0
    let limit: Int

    mutating func charge(_ cost: Int) -> Bool {
        guard cost <= limit - spent else { return false }
        spent += cost
        return true
    }
}

enum Kind {
    case small, large, unknown
}

func isBetween(_ value: Int, _ low: Int, _ high: Int) -> Bool { low < value && value <= high }

func isOutside(_ value: Int, _ low: Int, _ high: Int) -> Bool { !isBetween(value, low, high) }

func halves(_ values: [Int], _ meter: inout Meter) -> [Int]? {
    var result: [Int] = []
    for value in values {
        guard meter.charge(1) else { return nil }
        if value == 7 { continue }
        result.append(value / 2)
    }
    return result
}

func kind(_ value: Int) -> Kind {
    switch value {
    case 1: .small
    case 9: .large
    default: .unknown
    }
}

func check(_ text: String) throws -> Bool {
    guard text.hasPrefix("a") || text.hasSuffix("z") else { throw CancellationError() }
    return !["aa", "zz"].contains(text)
}
