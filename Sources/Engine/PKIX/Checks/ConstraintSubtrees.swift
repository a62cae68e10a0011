// SPDX-License-Identifier: Apache-2.0

/// The permitted or excluded subtrees of a CA's name constraints (RFC 5280 § 4.2.1.10). The list reads each subtree
/// once, when a check first compares a name with it.
struct ConstraintSubtrees {
    /// A subtree of the form dNSName.
    enum DNSBase {
        /// The empty base, which contains every name.
        case everything
        case name(ByteRange)
        /// A base with a leading dot. The range excludes the dot. It isn't a dNSName (§ 4.2.1.10 has the dot only for
        /// URIs), but it is common. A permitted base covers only names below it, which permits less. An excluded base
        /// also covers the name itself, which excludes more. The strict rules reject it.
        case belowOnly(ByteRange)
        /// Bytes that aren't a DNS name.
        case malformed
    }

    struct Subtree {
        let base: DERElement
        /// The base as a dNSName. Nil if it has another form, or until a check needs it.
        fileprivate(set) var dnsBase: DNSBase?
    }

    let authority: Certificate
    let areExcluded: Bool
    /// The subtrees read so far.
    private var known: [Subtree] = []
    /// The bytes of the remaining subtrees. Empty if the list is absent.
    private var rest: ByteRange

    /// Creates one of the two lists of a CA that has constraints.
    /// - Returns: nil if the constraints are malformed. A parsed certificate doesn't have malformed constraints.
    init?(of authority: Certificate, areExcluded: Bool) {
        let constraints = authority.storage.fields.extensions.value(.nameConstraints)
        guard let subtrees = try? DERReader.subtrees(authority.span, constraints, excluded: areExcluded) else {
            return nil
        }
        self.authority = authority
        self.areExcluded = areExcluded
        rest = subtrees
    }

    /// Whether there is a subtree with this index. All subtrees before it must have been read.
    @inline(__always)
    func has(_ index: Int) -> Bool { index < known.count || rest.count > 0 }

    /// Returns a subtree, or nil if it is malformed. All subtrees before it must have been read.
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

    /// Parses the base of a dNSName subtree that has been read.
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
