// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PKIX
import ServerTrust

/// `servertrust roots diff`: shows the difference between two lists, or between the store and a list.
struct RootsDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "roots diff", abstract: "Show what a list adds, removes and changes.")

    @Argument(help: "The list to start from. (default: this machine's store)", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Compare with this list.", valueName: "file"), completion: .file())
    var against: String

    @Option(help: "Set the report format.")
    var format: OutputFormat = .text

    func validate() throws { try OptionRule.check(.standardInputOnce([file, against])) }

    func run() throws {
        let second = try RootListInput.read(against)
        let name: String
        let roots: RootListComparison.Roots
        if let file {
            let first = try RootListInput.read(file)
            (name, roots) = (printable(first.source), first.comparedRoots)
        } else {
            let system = try RootStore.read()
            (name, roots) = (RootStore.name(system), Self.roots(system))
        }
        let changes = RootListComparison(roots, second.comparedRoots).changes
        try format.write { palette in
            let lines = ["from \(name) to \(printable(second.source))"] + Self.lines(changes, palette)
            return lines.joined(separator: "\n") + "\n"
        } json: {
            Self.json(changes, from: name, to: second.source)
        }
        if !changes.isEmpty { throw ExitCodes.rejected }
    }

    private static func roots(_ system: SystemAnchors) -> RootListComparison.Roots {
        var roots: RootListComparison.Roots = [:]
        for anchor in system.store.anchors {
            let certificate = anchor.certificate
            roots[certificate.sha256] = (certificate.subject.description, .trusted([AnchorConstraints()]))
        }
        return roots
    }

    private static func lines(_ changes: [RootListComparison.Change], _ palette: Palette) -> [String] {
        var lines: [String] = []
        for kind in RootListComparison.Kind.allCases {
            let group = changes.filter { $0.kind == kind }
            guard !group.isEmpty else { continue }
            lines.append(palette.bold("\(kind.rawValue) (\(group.count))"))
            for change in group {
                lines.append("  " + Hex.encode(change.sha256.prefix(8)).padded(to: 18) + printable(change.name))
                // A new root without conditions needs no second line.
                guard kind != .added || change.after.words != "trusted" else { continue }
                lines.append(String(repeating: " ", count: 20) + "\(change.before.words) -> \(change.after.words)")
            }
        }
        return lines.isEmpty ? ["no difference"] : lines
    }

    private static func json(_ changes: [RootListComparison.Change], from: String, to: String) -> [UInt8] {
        JSONWriter.answer { json in
            json.member("from", from)
            json.member("to", to)
            json.objects("changes", of: changes) { json, change in
                json.member("kind", change.kind.rawValue)
                json.member("sha256", Hex.encode(change.sha256))
                json.member("name", change.name)
                json.key("before")
                change.before.write(to: &json)
                json.key("after")
                change.after.write(to: &json)
            }
        }
    }
}

extension RootListComparison.Standing {
    /// The standing in words.
    fileprivate var words: String {
        switch self {
        case .absent: "not in the list"
        case .notTrusted: "not trusted for TLS"
        case .trusted(let sets) where sets.contains(AnchorConstraints()): "trusted"
        case .trusted(let sets): "only \(sets.words)"
        }
    }

    /// Writes the sets of constraints of a trusted root, or null for other roots.
    fileprivate func write(to json: inout JSONWriter) {
        guard case .trusted(let sets) = self else { return json.null() }
        json.array(of: sets) { json, set in json.object(set.write) }
    }
}
