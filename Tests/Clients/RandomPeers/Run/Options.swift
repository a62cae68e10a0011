// SPDX-License-Identifier: Apache-2.0

/// The options of the program.
struct Options: Sendable {
    var seed: UInt64 = 1
    var from = 0
    var count = 2000
    var only: ClientKind?
    /// The number of exchanges at the same time.
    var lanes = 24
    /// The file with the figures of a run in parts.
    var state: String?
    /// The end of a run in parts.
    var until: Int?
    /// The number of one exchange to repeat.
    var exchange: Int?
    var testsItself = false
    var isChild = false
    /// The exchanges to leave out.
    var skipped: Set<Int> = []
    var fault: PlantedFault?

    struct Problem: Error {
        let text: String
    }

    init() {}

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--self-test": testsItself = true
            case "--child": isChild = true
            case "--seed": seed = try UInt64(Self.value(&rest, name)).orProblem(name)
            case "--from": from = try Int(Self.value(&rest, name)).orProblem(name)
            case "--count": count = try Int(Self.value(&rest, name)).orProblem(name)
            case "--lanes": lanes = try Int(Self.value(&rest, name)).orProblem(name)
            case "--only": only = try ClientKind(rawValue: Self.value(&rest, name)).orProblem(name)
            case "--fault": fault = try PlantedFault(rawValue: Self.value(&rest, name)).orProblem(name)
            case "--until": until = try Int(Self.value(&rest, name)).orProblem(name)
            case "--state": state = try Self.value(&rest, name)
            case "--skip":
                skipped = Set(try Self.value(&rest, name).split(separator: ",").compactMap { Int($0) })
            case "--exchange":
                let parts = try Self.value(&rest, name).split(separator: ":")
                guard parts.count == 2, let seed = UInt64(parts[0]), let index = Int(parts[1]) else {
                    throw Problem(text: "--exchange needs SEED:INDEX")
                }
                (self.seed, exchange) = (seed, index)
            default: throw Problem(text: "unknown argument \(name)")
            }
        }
        guard from >= 0, count > 0, lanes > 0 else { throw Problem(text: "numbers must be positive") }
    }

    private static func value(_ rest: inout ArraySlice<String>, _ name: String) throws(Problem) -> String {
        guard let value = rest.popFirst() else { throw Problem(text: "\(name) needs a value") }
        return value
    }

    /// The arguments of a child with these options.
    var childArguments: [String] {
        var arguments = [
            "--child", "--seed", "\(seed)", "--from", "\(from)", "--count", "\(count)", "--lanes", "\(lanes)",
        ]
        if let only { arguments += ["--only", only.rawValue] }
        if let fault { arguments += ["--fault", fault.rawValue] }
        if !skipped.isEmpty { arguments += ["--skip", skipped.sorted().map(String.init).joined(separator: ",")] }
        return arguments
    }
}

extension Optional {
    fileprivate func orProblem(_ name: String) throws(Options.Problem) -> Wrapped {
        guard let self else { throw Options.Problem(text: "\(name) has a value that it doesn't know") }
        return self
    }
}
