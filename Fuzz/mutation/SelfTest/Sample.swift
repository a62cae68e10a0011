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

// The faults of people.

enum Mode {
    case off, soft, strict

    var rank: Int {
        switch self {
        case .off: 0
        case .soft: 1
        case .strict: 2
        }
    }
}

struct Options {
    var isStrict = false
    var mode = Mode.soft
}

struct Limits {
    static let name = "limit"
    let least: Int
    let most: Int
}

func mode(_ name: String) -> Mode? { ["off": Mode.off, "soft": .soft, "strict": .strict][name] }

func problems(_ values: [Int], _ limits: Limits) -> [Int] { values.filter { $0 < limits.least || $0 > limits.most } }

func doubled(_ values: [Int]) -> [Int] { values.map { $0 + $0 } }

func all(_ values: [Int], _ low: Int, _ high: Int, isStrict: Bool = true) -> [Int] {
    let found = problems(values, Limits(least: low, most: high)) + doubled(values)
    return isStrict ? found.sorted() : found
}

func middle(_ values: [Int], _ start: Int, _ end: Int) -> [Int] { Array(values[start..<end].dropFirst()) }

func total(_ values: [Int]) -> Int {
    var sum = 0
    for value in values { sum += value }
    return sum
}

func first(_ values: [Int], _ other: Int?) -> Int? { values.first { $0 > 5 } ?? other }

func describe(_ value: Int?, _ isShort: Bool) -> String {
    if let value, value > 3 { return isShort ? "large" : "\(Limits.name) \(value)" }
    return "small"
}
