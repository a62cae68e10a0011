// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The dictionaries with pins in a source file, and the problems in their literals.
struct SourceDictionaries {
    private let file: String
    private var tree: SourceTree
    private var values: PinValueReader
    private var nodes: [PinNode] = []
    private let code: SourceCode

    init(_ code: SourceCode, file: String, library: @escaping (String) -> String? = { _ in nil }) {
        self.code = code
        self.file = file
        tree = SourceTree(code, library: library)
        values = PinValueReader(file: file)
        if let line = code.unendedLine {
            values.add(
                .pinFileNotLiteral, as: .odd, line, "", "unterminated string or comment; nothing after it was read")
        }
    }

    /// Adds the dictionary in a token range.
    mutating func add(_ range: Range<Int>) {
        if code.isConditional(range.lowerBound) {
            addUnread(range.lowerBound, "", "compiled conditionally, so it isn't known whether its pins apply")
        }
        if let node = tree.node(range, []) { nodes.append(node) }
    }

    /// Adds a dictionary with only one member.
    mutating func add(_ item: Range<Int>, inDictionaryAt open: Int) {
        if let node = tree.dictionary([item], line: code.line(open)) { nodes.append(node) }
    }

    /// Adds a problem for a value that isn't a literal.
    mutating func addUnread(_ index: Int, _ path: String, _ detail: String) {
        values.add(.pinFileNotLiteral, as: .odd, code.line(index), path, detail)
    }

    /// Returns the configuration of the single dictionary.
    /// - Parameters:
    ///   - domains: the key of the dictionary of domains, or nil if the whole dictionary is the dictionary of domains.
    ///   - pins: the key of the list of pins in a domain.
    ///   - minimum: the number of literal pins that a domain needs if parts of it aren't literals. Domains with fewer
    ///     literal pins are left out.
    ///   - read: reads the dictionary in its format.
    /// - Throws: `PinFileError` with the problems that the format's reader finds, or if there are two different
    ///   dictionaries.
    func configuration(
        dropping domains: String?, _ pins: String, minimum: Int,
        _ read: PinFormatReader.Read<PinNode>
    ) throws(PinFileError) -> PinConfiguration {
        var values = values
        tree.check(&values)
        for unread in tree.unread {
            values.add(
                .pinFileNotLiteral, as: .odd, code.line(unread.range.lowerBound), unread.path.joined(separator: "."),
                "\(clipped(code.excerpt(unread.range))) isn't a literal, so its value isn't known")
        }
        let prefix = domains.map { [$0] } ?? []
        let partial = Set(
            tree.partial.filter { $0.count > prefix.count && $0.starts(with: prefix) }.map { $0[prefix.count] })
        let nodes = nodes.map { literal($0, domains, pins, minimum, partial) }
        if let first = nodes.first, let other = nodes.first(where: { $0.json != first.json }) {
            values.add(
                .pinFileContradiction, other.line, "",
                "another dictionary in this file has different pins, expected one of the two")
        }
        try values.check()
        let listed = nodes.first.flatMap { node in domains.map { node[$0] } ?? node }
        if values.problems.contains(where: { $0.code == .pinFileNotLiteral }), (listed?.count ?? 0) == 0 {
            return try values.configuration([], allowsNoRule: true)
        }
        guard let node = nodes.first else {
            values.add(.pinFileMissingKey, nil, domains ?? "", "missing, expected a dictionary of domains")
            throw PinFileError(values.problems[0])
        }
        do throws(PinFileError) {
            return try read(node, file).adding(oddities: values.problems)
        } catch {
            var all = PinFileError(error.problems + values.problems) ?? error
            all.rest = error.rest
            throw all
        }
    }

    /// Returns a dictionary without the domains that have too few literal pins because some parts aren't literals.
    private func literal(
        _ node: PinNode, _ domains: String?, _ pins: String, _ minimum: Int, _ partial: Set<String>
    ) -> PinNode {
        guard !partial.isEmpty, case .dictionary(let members) = node.value else { return node }
        func kept(_ members: [PinNode.Member]) -> [PinNode.Member] {
            members.filter { member in
                guard partial.contains(member.key) else { return true }
                guard let list = member.node[pins], case .array(let elements) = list.value else { return false }
                return elements.count >= minimum
            }
        }
        guard let domains else { return PinNode(.dictionary(kept(members)), line: node.line, comment: node.comment) }
        return PinNode(
            .dictionary(
                members.map { member in
                    guard member.key == domains, case .dictionary(let inner) = member.node.value else { return member }
                    let node = PinNode(.dictionary(kept(inner)), line: member.node.line, comment: member.node.comment)
                    return PinNode.Member(key: member.key, node: node)
                }), line: node.line, comment: node.comment)
    }
}
