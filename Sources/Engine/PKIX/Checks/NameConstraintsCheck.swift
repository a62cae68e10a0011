// SPDX-License-Identifier: Apache-2.0

// RFC 5280 § 6.1.3 (b) and (c), § 4.2.1.10: compares every name below a CA with the CA's constraints.
//
// The check compares each constraining CA (including the anchor, RFC 5937 § 3) with each certificate below it. This has
// the same effect as the intersection of permitted subtrees and the union of excluded subtrees, without computing
// either. The check skips self-issued certificates except the leaf.
//
// If the CA has a constraint of a name's form, a name or constraint that can't be compared is a failure. The CA was
// meant to be limited, and ignoring an unreadable limit would lift it. For a wildcard dNSName, all names that it
// matches must be permitted, and none may be excluded. RFC 5280 doesn't cover this case. CVE-2025-61727 is about
// comparing the wildcard literally.
//
// If the standards allow several interpretations, an excluded subtree uses the loosest and a permitted subtree the
// strictest. A client with a different interpretation then finds no excluded name in a certificate that passes this
// check.

enum NameConstraintsCheck {
    /// Checks a path.
    /// - Parameter normalized: the search's directory names. Each is normalized once.
    static func run(
        _ path: CandidatePath, _ normalized: inout NormalizedNames, _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        var index = 1
        defer { list.constrainedBy = nil }
        while index <= path.anchorIndex {
            list.constrainedBy = index
            if path.certificates[index].storage.fields.extensions.has(.nameConstraints) {
                for below in 0..<index where below == 0 || !path.isSelfIssued(below) {
                    list.certificate = below
                    list.role = path.role(below)
                    check(path.certificates[below], against: path.certificates[index], &normalized, &meter, &list)
                    if meter.isExhausted { return }
                }
            }
            index += 1
        }
    }

    /// The relation of a name to a constraint.
    private enum Relation {
        case within
        case outside
        case undecidable
    }

    /// The names of one certificate that violate one CA's constraints, and the violated constraints. The list is
    /// complete, because an exception for some names must not cover others.
    private struct NameViolations {
        var names: [String] = []
        var constraints: [String] = []
        /// The offsets of the constraints that are already in ``constraints``.
        var starts: Set<Int> = []
    }

    private struct Findings {
        var excluded = NameViolations()
        var undecidable = NameViolations()
        var notPermitted = NameViolations()
        /// The forms of the names that aren't permitted.
        var forms: Set<UInt8> = []
        var isUnreadable = false
    }

    /// Both lists of a CA.
    private struct Constraints {
        var excluded: ConstraintSubtrees
        var permitted: ConstraintSubtrees
    }

    /// The work of creating a name's text: this value for each name, plus the same value for every 16 of its bytes.
    private static let workPerText = 256

    private static func check(
        _ certificate: Certificate, against authority: Certificate, _ normalized: inout NormalizedNames,
        _ meter: inout WorkMeter, _ list: inout FailureList
    ) {
        var findings = Findings()
        if let excluded = ConstraintSubtrees(of: authority, areExcluded: true),
            let permitted = ConstraintSubtrees(of: authority, areExcluded: false)
        {
            var constraints = Constraints(excluded: excluded, permitted: permitted)
            checkNames(of: certificate, against: &constraints, &normalized, &meter, &findings)
        } else {
            findings.isUnreadable = true
        }
        if !findings.forms.isEmpty {
            findings.notPermitted.constraints = texts(authority, findings.forms, &meter)
        }
        for (code, wrong) in [
            (TrustFailure.Code.nameExcluded, findings.excluded), (.nameNotPermitted, findings.notPermitted),
            (.nameConstraintUndecidable, findings.undecidable),
        ] where !wrong.names.isEmpty {
            let constraints = wrong.constraints
            list.add(
                code,
                expected: constraints.count == 1 && code != .nameNotPermitted
                    ? .text(constraints[0]) : .list(constraints),
                found: wrong.names.count == 1 ? .text(wrong.names[0]) : .list(wrong.names))
        }
        // The certificate's parser has checked its extensions completely, so this never happens. If it did, an
        // unreadable part must not count as absent.
        if findings.isUnreadable { list.add(.nameConstraintUndecidable, expected: .text("?"), found: .text("?")) }
    }

    private static func checkNames(
        of certificate: Certificate, against constraints: inout Constraints,
        _ normalized: inout NormalizedNames,
        _ meter: inout WorkMeter, _ findings: inout Findings
    ) {
        let span = certificate.span
        let fields = certificate.storage.fields
        var hasMailbox = false
        if fields.extensions.has(.subjectAlternativeName) {
            var outer = DERReader(span, fields.extensions.value(.subjectAlternativeName))
            guard var names = try? outer.nextSequence("subjectAltName") else {
                return findings.isUnreadable = true
            }
            while !names.isAtEnd {
                guard let name = try? names.next("subjectAltName") else { return findings.isUnreadable = true }
                if name.tag == GeneralNameTag.rfc822Name { hasMailbox = true }
                let checked = Name(certificate: certificate, tag: name.tag, range: name.contents)
                guard check(checked, against: &constraints, &normalized, &meter, &findings) else { return }
            }
        }
        // A subject that isn't empty is a directoryName.
        if fields.subject.count > 2 {
            let subject = Name(certificate: certificate, tag: GeneralNameTag.directoryName, range: fields.subject)
            guard check(subject, against: &constraints, &normalized, &meter, &findings) else { return }
            // § 4.2.1.10: mailboxes in the subject count if there is no rfc822Name. Some clients, including OpenSSL,
            // always read them, so none of them may be excluded.
            guard meter.charge(work: fields.subject.count) else { return }
            checkSubjectMailboxes(
                of: certificate, against: &constraints, excludedOnly: hasMailbox, &normalized, &meter, &findings)
        }
    }

    private static func checkSubjectMailboxes(
        of certificate: Certificate, against constraints: inout Constraints, excludedOnly: Bool,
        _ normalized: inout NormalizedNames,
        _ meter: inout WorkMeter, _ findings: inout Findings
    ) {
        let span = certificate.span
        var outer = DERReader(span, certificate.storage.fields.subject)
        guard let sequence = try? outer.next("subject") else { return findings.isUnreadable = true }
        var sets = outer.inside(sequence)
        while !sets.isAtEnd {
            guard let set = try? sets.next("subject") else { return findings.isUnreadable = true }
            var members = sets.inside(set)
            while !members.isAtEnd {
                guard let (type, value) = try? members.nextAttribute("subject") else {
                    return findings.isUnreadable = true
                }
                guard equals(span, type, OID.emailAddress.der) else { continue }
                // PKCS #9 § 5.2.1 requires an IA5String. In other types, such as UTF-16, the same mailbox has other
                // bytes. A reader that knows the type would see a name that this check hasn't compared.
                let name = Name(
                    certificate: certificate, tag: GeneralNameTag.rfc822Name, range: value.contents,
                    isComparable: value.tag == DERTag.ia5String)
                guard
                    check(name, against: &constraints, excludedOnly: excludedOnly, &normalized, &meter, &findings)
                else { return }
            }
        }
    }

    /// A name to compare with constraints.
    private struct Name {
        let certificate: Certificate
        /// The form of the name.
        let tag: UInt8
        let range: ByteRange
        /// False if the bytes don't fit the form.
        let isComparable: Bool
        /// The normal form. Only for a directory name that the check has compared.
        var normalized: NormalizedName?
        /// The result of ``hasDNSSyntax()`` after the first call.
        private var knownDNSSyntax: Bool?

        init(certificate: Certificate, tag: UInt8, range: ByteRange, isComparable: Bool = true) {
            self.certificate = certificate
            self.tag = tag
            self.range = range
            self.isComparable = isComparable
        }

        /// Whether the bytes are a dNSName, possibly with a wildcard. Reads them once for all constraints.
        mutating func hasDNSSyntax() -> Bool {
            if let known = knownDNSSyntax { return known }
            let isValid = DNSName.check(certificate.span, range.indices, wildcard: true) == .valid
            knownDNSSyntax = isValid
            return isValid
        }

        var text: String {
            let element = DERElement(tag: tag, start: range.start, content: range.start, end: range.end)
            return certificate.shortName(element)
        }
    }

    /// Checks one name against both lists. Returns false if the budget is exhausted or a constraint is unreadable.
    /// - Parameter excludedOnly: whether to skip the permitted subtrees, because they don't apply to the name.
    private static func check(
        _ given: Name, against constraints: inout Constraints, excludedOnly: Bool = false,
        _ normalized: inout NormalizedNames, _ meter: inout WorkMeter, _ findings: inout Findings
    ) -> Bool {
        var name = given
        var isListed = false
        guard check(&name, against: &constraints.excluded, &isListed, &normalized, &meter, &findings) else {
            return false
        }
        return excludedOnly
            || check(&name, against: &constraints.permitted, &isListed, &normalized, &meter, &findings)
    }

    /// Checks one name against one list. Returns false if the budget is exhausted or a constraint is unreadable.
    /// - Parameter isListed: whether the name is already in the list of names that can't be compared.
    private static func check(
        _ name: inout Name, against subtrees: inout ConstraintSubtrees, _ isListed: inout Bool,
        _ normalized: inout NormalizedNames, _ meter: inout WorkMeter, _ findings: inout Findings
    ) -> Bool {
        let authority = subtrees.authority
        let excluded = subtrees.areExcluded
        var seen = false
        var relation = Relation.outside
        var index = 0
        // After a subtree that can't be compared, a later excluded subtree may still match. A later permitted subtree
        // can't change the failure.
        while subtrees.has(index), relation != .within, excluded || relation == .outside {
            // Charged even if the forms differ: skipping a constraint takes as long as a short comparison.
            guard meter.charge(comparisons: 1) else { return false }
            guard let subtree = subtrees.subtree(index) else {
                findings.isUnreadable = true
                return false
            }
            let base = subtree.base
            defer { index += 1 }
            guard applies(base.tag, name.tag, name.certificate, name.range) else { continue }
            seen = true
            // Long names take longer.
            guard meter.charge(comparisons: (base.contentCount + name.range.count) / 64) else { return false }
            guard let found = self.relation(of: &name, to: subtree, index, of: &subtrees, &normalized, &meter) else {
                return false
            }
            switch found {
            case .outside: continue
            case .within:
                relation = .within
                guard excluded else { break }
                guard add(name, base, of: authority, isNew: true, &meter, &findings.excluded) else { return false }
            case .undecidable:
                relation = .undecidable
                guard add(name, base, of: authority, isNew: !isListed, &meter, &findings.undecidable) else {
                    return false
                }
                isListed = true
            }
        }
        if seen, !excluded, relation == .outside {
            guard meter.charge(work: workPerText + name.range.count * 16) else { return false }
            findings.notPermitted.names.append(name.text)
            findings.forms.insert(name.tag)
        }
        return true
    }

    /// Adds a name, unless the list has it, and the constraint that it violates.
    private static func add(
        _ name: Name, _ base: DERElement, of authority: Certificate, isNew: Bool, _ meter: inout WorkMeter,
        _ wrong: inout NameViolations
    ) -> Bool {
        if isNew {
            guard meter.charge(work: workPerText + name.range.count * 16) else { return false }
            wrong.names.append(name.text)
        }
        if wrong.starts.insert(base.start).inserted {
            guard meter.charge(work: workPerText + base.contentCount * 16) else { return false }
            wrong.constraints.append(authority.shortName(base))
        }
        return true
    }

    /// Whether a constraint of form `base` applies to a name of form `tag`.
    private static func applies(_ base: UInt8, _ tag: UInt8, _ certificate: Certificate, _ name: ByteRange) -> Bool {
        if base == tag { return true }
        // RFC 9598 § 6: an internationalized mailbox is an otherName, and constraints on rfc822Name also apply to it.
        guard base == GeneralNameTag.rfc822Name, tag == GeneralNameTag.otherName else { return false }
        let span = certificate.span
        var reader = DERReader(span, name)
        guard let type = try? reader.nextObjectIdentifier("otherName") else { return true }
        return equals(span, type, [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x08, 0x09])
    }

    /// Returns the relation of a name to a subtree.
    /// - Returns: nil if the meter refuses to normalize a directory name.
    private static func relation(
        of name: inout Name, to subtree: ConstraintSubtrees.Subtree, _ index: Int,
        of subtrees: inout ConstraintSubtrees, _ normalized: inout NormalizedNames, _ meter: inout WorkMeter
    ) -> Relation? {
        let base = subtree.base
        guard name.isComparable, base.tag == name.tag else { return .undecidable }
        switch name.tag {
        case GeneralNameTag.directoryName:
            let encoded = EncodedName(certificate: subtrees.authority, range: base.contents)
            return directoryRelation(
                of: &name, to: encoded, excluded: subtrees.areExcluded, &normalized, &meter)
        case GeneralNameTag.dnsName:
            guard name.hasDNSSyntax() else { return .undecidable }
            let dnsBase = subtree.dnsBase ?? subtrees.readDNSBase(index)
            return dnsRelation(
                name.certificate.span, name.range.indices, subtrees.authority.span, dnsBase,
                excluded: subtrees.areExcluded)
        default:
            return relation(
                of: name.certificate.span, name.tag, name.range, to: subtrees.authority.span, base,
                excluded: subtrees.areExcluded)
        }
    }

    private static func relation(
        of bytes: Span<UInt8>, _ tag: UInt8, _ name: ByteRange, to bases: Span<UInt8>, _ base: DERElement,
        excluded: Bool
    ) -> Relation {
        switch tag {
        case GeneralNameTag.ipAddress:
            return addressRelation(bytes, name, bases, base.contents, excluded: excluded)
        case GeneralNameTag.rfc822Name:
            return mailboxRelation(bytes, name.indices, bases, base.contents.indices, excluded: excluded)
        case GeneralNameTag.uniformResourceIdentifier:
            return uriRelation(bytes, name.indices, bases, base.contents.indices, excluded: excluded)
        default:
            // otherName, x400Address, ediPartyName, registeredID: § 4.2.1.10 has no rule for comparing them.
            return .undecidable
        }
    }

    /// Returns the permitted subtrees of these name forms, for a failure.
    private static func texts(_ authority: Certificate, _ forms: Set<UInt8>, _ meter: inout WorkMeter) -> [String] {
        let constraints = authority.storage.fields.extensions.value(.nameConstraints)
        guard meter.charge(work: constraints.count),
            let subtrees = try? DERReader.subtrees(authority.span, constraints, excluded: false)
        else { return [] }
        var reader = DERReader(authority.span, subtrees)
        var texts: [String] = []
        while !reader.isAtEnd, let base = try? reader.nextSubtreeBaseUnchecked() {
            guard forms.contains(base.tag) else { continue }
            guard meter.charge(work: workPerText + base.contentCount * 16) else { return texts }
            texts.append(authority.shortName(base))
        }
        return texts
    }
}

// MARK: - One form each

extension NameConstraintsCheck {
    /// Compares a dNSName of valid syntax. The base and every name with additional labels on its left are within the
    /// subtree.
    private static func dnsRelation(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ bases: Span<UInt8>, _ constraint: ConstraintSubtrees.DNSBase,
        excluded: Bool
    ) -> Relation {
        let base: Range<Int>
        let isBelowOnly: Bool
        switch constraint {
        case .everything: return .within
        case .malformed: return .undecidable
        case .name(let range): (base, isBelowOnly) = (range.indices, false)
        case .belowOnly(let range): (base, isBelowOnly) = (range.indices, true)
        }

        let isWildcard = bytes[name.lowerBound] == UInt8(ascii: "*")
        guard isWildcard else {
            if DNSName.equal(bytes, name, bases, base) { return isBelowOnly && !excluded ? .outside : .within }
            return DNSName.isBelow(bytes, name, bases, base) ? .within : .outside
        }
        let parent = (name.lowerBound + 2)..<name.upperBound
        if DNSName.equal(bytes, parent, bases, base) || DNSName.isBelow(bytes, parent, bases, base) { return .within }
        // The wildcard's parent with one more label may be the excluded name.
        guard excluded, DNSName.isBelow(bases, base, bytes, parent) else { return .outside }
        let extra = base.lowerBound..<(base.upperBound - parent.count - 1)
        for index in extra where bases[index] == UInt8(ascii: ".") { return .outside }
        return .within
    }

    /// Compares a directoryName. The base and every name that begins with it are within the subtree.
    private static func directoryRelation(
        of name: inout Name, to base: EncodedName, excluded: Bool, _ normalized: inout NormalizedNames,
        _ meter: inout WorkMeter
    ) -> Relation? {
        if name.normalized == nil {
            let encoded = EncodedName(certificate: name.certificate, range: name.range)
            name.normalized = normalized.name(encoded, &meter)
        }
        guard let own = name.normalized, let other = normalized.name(base, &meter) else { return nil }
        return switch own.relation(to: other, acceptingGuesses: excluded) {
        case .within: .within
        case .outside: .outside
        case .undecidable: .undecidable
        }
    }

    /// Compares an iPAddress. An address is within the subtree if it has the same family and is equal under the mask.
    ///
    /// AD CS writes an empty base to cover every address, and OpenSSL reads it that way. If excluded, it excludes all
    /// addresses. If permitted, it permits no address, because an empty range contains none.
    ///
    /// A connection to `::ffff:192.0.2.1` reaches 192.0.2.1 (RFC 4291 § 2.5.5.2). If one of them is excluded, so is the
    /// other. Permitting one doesn't permit the other.
    private static func addressRelation(
        _ bytes: Span<UInt8>, _ name: ByteRange, _ bases: Span<UInt8>, _ base: ByteRange, excluded: Bool
    ) -> Relation {
        guard base.count > 0 else { return excluded ? .within : .outside }
        let half = base.count / 2
        let mask = base.start + half
        guard name.count != half else {
            return isEqual(bytes, name.start, bases, base.start, mask: mask, count: half) ? .within : .outside
        }
        guard excluded else { return .outside }
        if name.count == 16, half == 4 {
            guard isMapped(bytes, name.start) else { return .outside }
            return isEqual(bytes, name.start + 12, bases, base.start, mask: mask, count: 4) ? .within : .outside
        }
        // The mask is a prefix. One that is shorter than the prefix of mapped addresses concerns IPv6.
        guard name.count == 4, half == 16, isMapped(bases, base.start), bases[mask + 11] == 0xff else {
            return .outside
        }
        return isEqual(bytes, name.start, bases, base.start + 12, mask: mask + 12, count: 4) ? .within : .outside
    }

    /// Whether two addresses are equal under a mask.
    private static func isEqual(
        _ bytes: Span<UInt8>, _ name: Int, _ bases: Span<UInt8>, _ base: Int, mask: Int, count: Int
    ) -> Bool {
        for offset in 0..<count {
            let bits = bases[mask + offset]
            guard bytes[name + offset] & bits == bases[base + offset] & bits else { return false }
        }
        return true
    }

    /// Whether the 16 bytes at this position are an IPv4-mapped IPv6 address: `::ffff:0:0/96`.
    private static func isMapped(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
        for index in start..<(start + 10) where bytes[index] != 0 { return false }
        return bytes[start + 10] == 0xff && bytes[start + 11] == 0xff
    }

    /// Compares an rfc822Name with a mailbox, with all mailboxes of a host, or (with a leading dot) with all mailboxes
    /// of the hosts below it.
    private static func mailboxRelation(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ bases: Span<UInt8>, _ base: Range<Int>, excluded: Bool
    ) -> Relation {
        guard let at = mailboxSeparator(bytes, name) else { return .undecidable }
        let host = (at + 1)..<name.upperBound
        guard !base.isEmpty else { return .within }
        if lastIndex(of: UInt8(ascii: "@"), bases, base) != nil {
            guard let baseAt = mailboxSeparator(bases, base) else { return .undecidable }
            guard DNSName.equal(bytes, host, bases, (baseAt + 1)..<base.upperBound) else { return .outside }
            // RFC 5321 § 2.4: the local part may be case-sensitive, but most mail servers ignore its case.
            let local = name.lowerBound..<at
            let baseLocal = base.lowerBound..<baseAt
            let isSame =
                excluded
                ? DNSName.equal(bytes, local, bases, baseLocal)
                : bytesEqual(
                    bytes, ByteRange(local.lowerBound, at), bases, ByteRange(baseLocal.lowerBound, baseAt))
            return isSame ? .within : .outside
        }
        return hostRelation(bytes, host, bases, base)
    }

    /// Compares a host with a host (only that host) or with `.domain` (the hosts below it), for rfc822Name and
    /// uniformResourceIdentifier.
    private static func hostRelation(
        _ bytes: Span<UInt8>, _ host: Range<Int>, _ bases: Span<UInt8>, _ base: Range<Int>
    ) -> Relation {
        let isBelowOnly = bases[base.lowerBound] == UInt8(ascii: ".")
        let base = isBelowOnly ? (base.lowerBound + 1)..<base.upperBound : base
        guard DNSName.check(bases, base, wildcard: false) == .valid else { return .undecidable }
        let isWithin =
            isBelowOnly ? DNSName.isBelow(bytes, host, bases, base) : DNSName.equal(bytes, host, bases, base)
        return isWithin ? .within : .outside
    }

    /// Returns the position of a mailbox's `@`. Returns nil unless there is an unquoted local part before it and a host
    /// after it.
    private static func mailboxSeparator(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let at = lastIndex(of: UInt8(ascii: "@"), bytes, range), at > range.lowerBound,
            DNSName.check(bytes, (at + 1)..<range.upperBound, wildcard: false) == .valid
        else { return nil }
        for index in range.lowerBound..<at {
            let byte = bytes[index]
            // RFC 5321 § 4.1.2, Dot-string. Quoted local parts can spell the same mailbox in several ways.
            guard byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"),
                byte != UInt8(ascii: "@")
            else { return nil }
        }
        return at
    }

    /// Compares a uniformResourceIdentifier by the host of its authority. The result is undecidable without a host, or
    /// with an IP address (§ 4.2.1.10).
    private static func uriRelation(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ bases: Span<UInt8>, _ base: Range<Int>, excluded: Bool
    ) -> Relation {
        guard let authority = uriAuthority(bytes, name), let host = uriHost(bytes, authority) else {
            return .undecidable
        }
        guard !base.isEmpty else { return .within }
        let relation = hostRelation(bytes, host, bases, base)
        let userInformation = authority.lowerBound..<max(authority.lowerBound, host.lowerBound - 1)
        guard lastIndex(of: UInt8(ascii: "@"), bytes, userInformation) != nil else { return relation }
        // With a second `@`, which RFC 3986 § 3.2.1 doesn't allow, parsers disagree about the host.
        return relation == (excluded ? .within : .outside) ? relation : .undecidable
    }

    /// Returns the authority of `scheme://authority/…` (RFC 3986 §§ 3.1, 3.2).
    private static func uriAuthority(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var index = range.lowerBound
        while index < range.upperBound, bytes[index] != UInt8(ascii: ":") {
            // Unless a scheme precedes it, the colon belongs to something else.
            guard isSchemeByte(bytes[index], isFirst: index == range.lowerBound) else { return nil }
            index += 1
        }
        guard index > range.lowerBound, range.upperBound - index > 3, bytes[index + 1] == UInt8(ascii: "/"),
            bytes[index + 2] == UInt8(ascii: "/")
        else { return nil }
        let start = index + 3
        var end = start
        while end < range.upperBound {
            let byte = bytes[end]
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            // Browsers treat a backslash as a slash, but other clients as part of the name. This is undecidable.
            if byte == UInt8(ascii: "\\") { return nil }
            end += 1
        }
        return start..<end
    }

    private static func isSchemeByte(_ byte: UInt8, isFirst: Bool) -> Bool {
        isFirst ? byte.isLetterOrDigit && !isDigit(byte) : byte.isLetterOrDigit || "+-.".utf8.contains(byte)
    }

    /// Returns the host of `userinfo@host:port` (RFC 3986 § 3.2), or nil if it isn't a DNS name.
    private static func uriHost(_ bytes: Span<UInt8>, _ authority: Range<Int>) -> Range<Int>? {
        var start = authority.lowerBound
        var end = authority.upperBound
        if let at = lastIndex(of: UInt8(ascii: "@"), bytes, start..<end) { start = at + 1 }
        if let colon = lastIndex(of: UInt8(ascii: ":"), bytes, start..<end) {
            for position in (colon + 1)..<end where !isDigit(bytes[position]) { return nil }
            end = colon
        }
        guard DNSName.check(bytes, start..<end, wildcard: false) == .valid else { return nil }
        var label = end
        while label > start, bytes[label - 1] != UInt8(ascii: ".") { label -= 1 }
        return isNumber(bytes, label..<end) ? nil : start..<end
    }

    /// Whether some parsers treat a name with this last label as an IPv4 literal: digits, or hexadecimal digits after
    /// `0x`.
    private static func isNumber(_ bytes: Span<UInt8>, _ label: Range<Int>) -> Bool {
        let isHexadecimal =
            label.count >= 2 && bytes[label.lowerBound] == UInt8(ascii: "0")
            && asciiLowercased(bytes[label.lowerBound + 1]) == UInt8(ascii: "x")
        for position in isHexadecimal ? (label.lowerBound + 2)..<label.upperBound : label {
            guard isHexadecimal ? Hex.value(ofDigit: bytes[position]) != nil : isDigit(bytes[position]) else {
                return false
            }
        }
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func lastIndex(of byte: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var index = range.upperBound
        while index > range.lowerBound {
            index -= 1
            if bytes[index] == byte { return index }
        }
        return nil
    }
}

extension DNSName {
    /// Whether `name` is `base` with additional labels on the left.
    static func isBelow(_ bytes: Span<UInt8>, _ name: Range<Int>, _ bases: Span<UInt8>, _ base: Range<Int>) -> Bool {
        let extra = name.count - base.count
        guard extra >= 2, bytes[name.lowerBound + extra - 1] == UInt8(ascii: ".") else { return false }
        return equal(bytes, (name.lowerBound + extra)..<name.upperBound, bases, base)
    }
}
