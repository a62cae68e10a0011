// SPDX-License-Identifier: Apache-2.0

/// The identifier of an element: a fixed word and numbers, never text from a certificate.
package struct HTMLIdentifier: Sendable, Hashable, CustomStringConvertible {
    /// The value of the attribute: `host-3-path-0`.
    package let description: String

    /// Creates `kind-1-2`.
    /// - Parameter kind: lowercase letters, digits and hyphens.
    package init(_ kind: StaticString, _ numbers: Int...) {
        description = ([kind.description] + numbers.map(String.init)).joined(separator: "-")
    }

    /// Returns the identifier of a part of the element: `host-3-path-0`.
    package func part(_ kind: StaticString, _ numbers: Int...) -> HTMLIdentifier {
        HTMLIdentifier(
            description: ([description, kind.description] + numbers.map(String.init)).joined(separator: "-"))
    }

    private init(description: String) { self.description = description }
}

/// The target of a link: a place in the page, or a page in the same folder. Certificates and servers can't supply a
/// target.
package struct HTMLLink: Sendable, Hashable {
    let address: String

    /// A place in the same page.
    package static func place(_ identifier: HTMLIdentifier) -> HTMLLink {
        HTMLLink(address: "#\(identifier.description)")
    }

    /// A page in the same folder.
    package static func page(_ file: HTMLFileName) -> HTMLLink { HTMLLink(address: file.description) }
}

/// The file name of a page in a site: lowercase letters, digits and single hyphens, with `.html`.
package struct HTMLFileName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameter name: the name without `.html`.
    /// - Returns: nil if the name is empty, is longer than 100 characters or contains any other character.
    package init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard
            !bytes.isEmpty, bytes.count <= 100, bytes.first != UInt8(ascii: "-"),
            bytes.allSatisfy({
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        description = name + ".html"
    }
}
