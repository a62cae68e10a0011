// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The value of an option or a flag, which shows whether the user gave it.
protocol OptionValue {
    var isGiven: Bool { get }
}

extension Bool: OptionValue {
    var isGiven: Bool { self }
}

extension Optional: OptionValue {
    var isGiven: Bool { self != nil }
}

extension Array: OptionValue {
    var isGiven: Bool { !isEmpty }
}

/// A rule between the options of a verb.
struct OptionRule {
    /// Options with their values, by their names as the user writes them.
    typealias Options = KeyValuePairs<String, any OptionValue>

    /// The message if the options break the rule, or nil.
    private let problem: String?

    /// Checks the rules of a verb in order.
    /// - Throws: `ValidationError` with the message of the first broken rule.
    static func check(_ rules: OptionRule...) throws {
        if let problem = rules.lazy.compactMap(\.problem).first { throw ValidationError(problem) }
    }

    /// Any of `options` requires one of `needed`.
    /// - Parameter reason: the rest of the message, with its punctuation.
    static func requires(_ needed: Options, for options: Options, _ reason: String = "") -> OptionRule {
        let names = given(options)
        guard !names.isEmpty, given(needed).isEmpty else { return OptionRule(problem: nil) }
        let verb = names.count == 1 ? "requires" : "require"
        return OptionRule(problem: "\(list(names)) \(verb) \(list(needed.map(\.key), "or"))\(reason)")
    }

    /// At most one of `options` may be given.
    /// - Parameter reason: the rest of the message, with its punctuation.
    static func excludes(_ options: Options, _ reason: String = "") -> OptionRule {
        let names = given(options)
        return OptionRule(problem: names.count < 2 ? nil : "\(list(names)) can't be combined\(reason)")
    }

    /// None of `options` may be given together with the option of this name.
    /// - Parameter reason: the rest of the message, with its punctuation.
    static func excludes(_ name: String, _ value: any OptionValue, _ options: Options, _ reason: String = "")
        -> OptionRule
    {
        let names = value.isGiven ? given(options) : []
        return OptionRule(problem: names.isEmpty ? nil : "\(name) can't be combined with \(list(names))\(reason)")
    }

    /// Exactly one of `options` must be given.
    static func exactlyOne(_ options: Options) -> OptionRule {
        let names = given(options)
        guard names.count != 1 else { return OptionRule(problem: nil) }
        let found = names.isEmpty ? "" : ", found \(list(names))"
        return OptionRule(problem: "expected \(list(options.map(\.key), "or"))\(found)")
    }

    /// The option of this name takes a number in a range, if it is given.
    static func range(_ name: String, _ value: Int?, _ range: ClosedRange<Int>) -> OptionRule {
        guard let value, !range.contains(value) else { return OptionRule(problem: nil) }
        let expected =
            range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        return OptionRule(problem: "\(name) takes \(expected), found \(value)")
    }

    /// At most one of the files may be standard input.
    static func standardInputOnce(_ files: [String?]) -> OptionRule {
        OptionRule(problem: files.count { $0 == "-" } <= 1 ? nil : "standard input can only be read once")
    }

    /// Another condition that must hold.
    static func that(_ holds: Bool, _ message: @autoclosure () -> String) -> OptionRule {
        OptionRule(problem: holds ? nil : message())
    }

    private static func given(_ options: Options) -> [String] { options.filter(\.value.isGiven).map(\.key) }

    /// Returns names as a list in words: `--a, --b and --c`.
    private static func list(_ names: [String], _ last: String = "and") -> String {
        guard names.count > 1, let name = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) \(last) \(name)"
    }
}
