// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Pins in public files that lock users out: hashes of nothing, placeholders, samples from documentation, and keys of
/// CAs that no longer issue certificates or that rotate their keys without notice.
///
/// `Book/Pins` has the pins and their sources.
///
/// **Not included:** SHA-1 digests, which no format of this package accepts as a pin.
enum KnownPins {
    /// The kind of a known pin.
    enum Kind: Sendable, Hashable {
        /// The digest of an input without a key. The value describes the input.
        case nothing(String)
        /// A string that isn't a digest: one group of letters, repeated.
        case placeholder
        /// A sample pin from the named document.
        case sample(String)
        /// The key of a CA that no longer issues certificates, with its name and the reason.
        case retired(String)
        /// The key of an intermediate that its CA replaces without notice, with its name.
        case rotating(String)

        /// A human-readable description of the kind.
        var words: String {
            switch self {
            case .nothing(let input): "the SHA-256 of \(input)"
            case .placeholder: "a placeholder"
            case .sample(let document): "a sample of \(document)"
            case .retired(let authority), .rotating(let authority): "the key of \(authority)"
            }
        }
    }

    /// Returns the kind of a pin, or nil if nothing is known about it.
    static func kind(of pin: SPKIPin) -> Kind? {
        if let kind = table[pin] { return kind }
        return isRepeated(Array(Base64.encode(pin.sha256).utf8)) ? .placeholder : nil
    }

    /// Returns the other intermediates of the CA that has a key, if the CA replaces its intermediates without notice.
    /// Empty for other keys.
    static func siblings(of key: SPKIPin) -> [(key: SPKIPin, name: String)] {
        guard case .rotating(let name) = table[key], let owner = owner(of: name) else { return [] }
        return listed.compactMap { other in
            guard case .rotating(let name) = other.kind, other.key != key, Self.owner(of: name) == owner else {
                return nil
            }
            return (other.key, name)
        }
    }

    /// Returns the name of an intermediate without its last word, which is its number.
    private static func owner(of name: String) -> Substring? { name.lastIndex(of: " ").map { name[..<$0] } }

    /// Returns whether a base64 string repeats a group of at most eight letters. The probability that a digest does so
    /// is below 2^-200.
    ///
    /// The last letter before the padding contains bits that don't belong to a byte, so it isn't compared.
    private static func isRepeated(_ text: [UInt8]) -> Bool {
        let letters = text.prefix(42)
        return (1...8).contains { period in zip(letters, letters.dropFirst(period)).allSatisfy { $0 == $1 } }
    }

    /// The pins of the book, each with its kind.
    static let listed: [(key: SPKIPin, kind: Kind)] = PinLintBook.knownPins.entries.flatMap { entry in
        let kinds: [(field: String, kind: (String) -> Kind)] = [
            ("nothing", Kind.nothing), ("sample", Kind.sample), ("retired", Kind.retired), ("rotating", Kind.rotating),
        ]
        return kinds.flatMap { field, kind in
            // Each string is a valid pin. A test counts the pins.
            entry.all(field).compactMap { key in (try? SPKIPin("sha256/" + key)).map { ($0, kind(entry.name)) } }
        }
    }

    private static let table = Dictionary(listed.map { ($0.key, $0.kind) }) { _, last in last }
}
