// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A value of a file with its key path, which problems name.
package struct PlacedNode {
    package let node: PinNode
    /// The keys and indices from the file's root.
    package let path: String
    /// The key of a member, or an empty string for another value.
    package let key: String

    package init(_ node: PinNode, path: String = "", key: String = "") {
        self.node = node
        self.path = path
        self.key = key
    }

    package var line: Int? { node.line }
    package var value: PinNode.Value { node.value }

    /// Returns the member with a key, or nil if there isn't one.
    package subscript(key: String) -> PlacedNode? { node[key].map { member(key, $0) } }

    /// Returns a member. The place of a missing member has the line of the dictionary that lacks it.
    package func member(_ key: String, _ node: PinNode? = nil) -> PlacedNode {
        PlacedNode(node ?? self.node, path: PinValueReader.join(path, key), key: key)
    }
}

/// A reader of one format. Its values collect the problems in a file.
package protocol PinReading {
    associatedtype Contents

    var values: PinValueReader { get set }

    init(values: PinValueReader)
    mutating func configuration(_ contents: Contents) throws(PinFileError) -> PinConfiguration
}

extension PinReading {
    package static func read(_ contents: Contents, file: String) throws(PinFileError) -> PinConfiguration {
        var reader = Self(values: PinValueReader(file: file))
        return try reader.configuration(contents)
    }

    /// Returns the rules of members whose keys are hosts. Each host occurs once.
    /// - Parameters:
    ///   - host: reads the host of a member.
    ///   - rule: reads the rule of a member.
    package mutating func rules(
        _ members: [PlacedNode], host: (inout Self, PlacedNode) -> Hostname?,
        _ rule: (inout Self, PlacedNode, Hostname?) -> PinRule?
    ) -> [PinRule] {
        var seen: [Hostname: Int?] = [:]
        return members.compactMap { member in
            let name = host(&self, member)
            if let name { _ = values.unique(name, member.line, member.path, among: &seen) }
            return rule(&self, member, name)
        }
    }
}

extension PinReading where Contents == PlacedNode {
    package static func read(_ root: PinNode, file: String) throws(PinFileError) -> PinConfiguration {
        try read(PlacedNode(root), file: file)
    }
}
