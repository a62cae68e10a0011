// SPDX-License-Identifier: Apache-2.0

/// The permitted or the excluded subtrees of a CA's name constraints (RFC 5280 § 4.2.1.10), each read once for all names that are
/// compared with it, and only when the first of them is.
struct ConstraintSubtrees {
    /// A subtree of the form dNSName.
    enum DNSBase {
        /// The empty base, which has every name within it.
        case everything
        case name(ByteRange)
        /// A base with a dot in front, without the dot. It is no dNSName (§ 4.2.1.10 has the dot for URIs), but common. Read as "only
        /// below", which permits less; an excluded one also as the name itself, which excludes more. Refused by the strict rules.
        case belowOnly(ByteRange)
        /// Bytes that aren't those of a name.
        case malformed
    }

    struct Subtree {
        let base: DERElement
        /// The base in the form dNSName; nil unless it has the form and was needed.
        fileprivate(set) var dnsBase: DNSBase?
    }

    let authority: Certificate
    let areExcluded: Bool
    /// The subtrees that were read.
    private var known: [Subtree] = []
    /// The bytes of the subtrees after them; empty where the list is absent.
    private var rest: ByteRange

    /// Creates one of the lists of a CA that has constraints.
    /// - Returns: nil for constraints that can't be read, which a parsed certificate doesn't have.
    init?(of authority: Certificate, areExcluded: Bool) {
        let constraints = authority.storage.fields.extensions.value(.nameConstraints)
        guard let subtrees = try? DERReader.subtrees(authority.span, constraints, excluded: areExcluded) else {
            return nil
        }
        self.authority = authority
        self.areExcluded = areExcluded
        rest = subtrees
    }

    /// Whether there is a subtree with this index, all before it having been read.
    @inline(__always)
    func has(_ index: Int) -> Bool { index < known.count || rest.count > 0 }

    /// Returns a subtree, all before it having been read; nil if it can't be read.
    @inline(__always)
    mutating func subtree(_ index: Int) -> Subtree? { index < known.count ? known[index] : next() }

    @inline(never)
    private mutating func next() -> Subtree? {
        var reader = DERReader(authority.span, rest)
        guard let base = try? reader.nextSubtreeBaseUnchecked() else { return nil }
        rest = ByteRange(reader.position, rest.end)
        let subtree = Subtree(base: base)
        known.append(subtree)
        return subtree
    }

    /// Returns the base of a subtree of the form dNSName that was read.
    @inline(never)
    mutating func readDNSBase(_ index: Int) -> DNSBase {
        let base = Self.dnsBase(authority.span, known[index].base.contents)
        known[index].dnsBase = base
        return base
    }

    private static func dnsBase(_ bytes: Span<UInt8>, _ base: ByteRange) -> DNSBase {
        guard base.count > 0 else { return .everything }
        let isBelowOnly = bytes[base.start] == UInt8(ascii: ".")
        let name = isBelowOnly ? ByteRange(base.start + 1, base.end) : base
        guard DNSName.check(bytes, name.indices, wildcard: false) == .valid else { return .malformed }
        return isBelowOnly ? .belowOnly(name) : .name(name)
    }
}
