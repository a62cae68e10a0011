// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The arguments of this program.
struct Arguments {
    enum Mode {
        case targets([FuzzTarget])
        case list
        case selfTest
        /// A target's process, which the parent starts.
        case child(Child)
    }

    private(set) var mode: Mode
    private(set) var supervisor = Supervisor(jobs: ProcessInfo.processInfo.activeProcessorCount)

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var targets: [FuzzTarget] = []
        var flags: Set<String> = []
        var child: (target: FuzzTarget?, record: String?, parent: pid_t) = (nil, nil, 0)
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
            return value
        }
        func number(_ option: String, _ range: ClosedRange<Int>) throws -> Int {
            let text = try value(option)
            guard let number = Int(text), range.contains(number) else {
                throw UsageError("\(option) \(text), expected a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--jobs": supervisor.jobs = try number(argument, 1...1_000)
            case "--seed": supervisor.seed = UInt64(try number(argument, 0...Int.max))
            case "--mutations": supervisor.mutations = try number(argument, 0...1_000_000_000)
            case "--file": supervisor.file = try value(argument)
            case "--list", "--self-test": flags.insert(argument)
            case "--child": child.target = try Self.target(value(argument))
            case "--record": child.record = try value(argument)
            case "--parent": child.parent = pid_t(try number(argument, 1...Int(Int32.max)))
            case _ where argument.hasPrefix("-"): throw UsageError("unknown option \(argument)")
            default: targets.append(try Self.target(argument))
            }
        }
        if let target = child.target, let record = child.record {
            let mutations = supervisor.mutations ?? target.mutations
            mode = .child(
                Child(
                    target: target, record: record, seed: supervisor.seed, mutations: mutations, file: supervisor.file,
                    parent: child.parent))
            return
        }
        if !flags.isEmpty, flags.count > 1 || !targets.isEmpty || supervisor.file != nil {
            throw UsageError("\(flags.sorted().joined(separator: " and ")) can't be used with other modes or targets")
        }
        if let file = supervisor.file {
            guard targets.count == 1 else { throw UsageError("--file needs one target") }
            guard FileManager.default.fileExists(atPath: file) else { throw UsageError("there is no file \(file)") }
        }
        let names = targets.map(\.name)
        guard Set(names).count == names.count else { throw UsageError("a target is named twice") }
        mode =
            flags.contains("--list")
            ? .list : flags.contains("--self-test") ? .selfTest : .targets(targets.isEmpty ? FuzzTarget.all : targets)
    }

    private static func target(_ name: String) throws -> FuzzTarget {
        guard let target = FuzzTarget.named(name) else {
            throw UsageError("no fuzz target \(name); --list names them")
        }
        return target
    }
}

/// A mistake in the arguments.
struct UsageError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}
