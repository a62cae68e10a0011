// SPDX-License-Identifier: Apache-2.0

/// The names of a leaf that don't match the host, each with its form and the reason. Only reports use them.
package struct NameMismatch: Sendable, Hashable {
    /// The host.
    package let host: Hostname
    /// The names, at most ``maximumCount``. Names that are nearly right come first.
    package let names: [RejectedName]
    /// The number of omitted names.
    package let omitted: Int

    /// The largest number of names in the list.
    static let maximumCount = 20

    /// The largest number of names that the comparison reads. The largest certificates in use have a few thousand
    /// names. The limit bounds the work on a hostile certificate.
    static let maximumRead = 1000

    private init(_ host: Hostname, _ names: [RejectedName], count: Int) {
        self.host = host
        let sorted = names.enumerated().sorted { left, right in
            (left.element.reason.rank, left.offset) < (right.element.reason.rank, right.offset)
        }
        self.names = sorted.prefix(Self.maximumCount).map(\.element)
        self.omitted = count - self.names.count
    }

    /// Compares the names of a certificate with a host. Includes the common name if it matches the host.
    ///
    /// Reads only the first ``maximumRead`` names, in one pass.
    package init(of certificate: Certificate, for host: Hostname) {
        var names: [RejectedName] = []
        var count = 0
        let span = certificate.span
        if certificate.storage.fields.extensions.has(.subjectAlternativeName) {
            var outer = DERReader(span, certificate.storage.fields.extensions.value(.subjectAlternativeName))
            if var reader = try? outer.nextSequence("subjectAltName") {
                while !reader.isAtEnd, let name = try? reader.next("subjectAltName") {
                    count += 1
                    if count <= Self.maximumRead { names.append(RejectedName(name, of: certificate, for: host)) }
                }
            }
        }
        if let name = Self.commonName(of: certificate, for: host) {
            count += 1
            names.append(name)
        }
        self.init(host, names, count: count)
    }

    /// Parses the names in the values of a failure. Returns nil for a failure with another code.
    init?(_ failure: TrustFailure) {
        guard failure.code == .hostMismatch, case .text(let text) = failure.expected, let host = try? Hostname(text),
            case .list(let members) = failure.found
        else { return nil }
        let (all, omitted) = TrustFailure.Value.parts(members)
        let read = all.prefix(Self.maximumRead)
        self.init(host, read.map { RejectedName(shownAs: $0, for: host) }, count: all.count + omitted)
    }

    private static func commonName(of certificate: Certificate, for host: Hostname) -> RejectedName? {
        guard certificate.storage.fields.subject.count <= Certificate.maximumTextSize else { return nil }
        let names = certificate.subject.values(of: .commonName)
        return names.first { (try? Hostname($0)) == host }.map { RejectedName(.commonName, $0, .commonName) }
    }
}

extension NameMismatch {
    /// The sentence about the names that follows `certificate 0 (leaf)`, or nil if no name is nearly right.
    var sentence: String? {
        let near = names.filter(\.reason.isNear).prefix(3)
        guard !near.isEmpty else {
            return names.isEmpty ? "has no name that clients compare with a host, expected \(host)" : nil
        }
        let others = names.filter { !$0.reason.isNear }.prefix(3)
        let rest = names.count + omitted - near.count - others.count
        var text = "is not valid for \(host): " + near.map { "it has " + $0.clause(for: host) }.joined(separator: "; ")
        if !others.isEmpty { text += "; it is valid for " + others.map(\.value).joined(separator: ", ") }
        if rest > 0 { text += others.isEmpty ? "; it has \(rest) more names" : " and \(rest) more" }
        return text
    }

    /// Whether a name is nearly right.
    package var hasNearName: Bool { names.contains(where: \.reason.isNear) }

    /// The remedy for the first name that is nearly right, or nil if there is no such name.
    var remedy: String? { names.first { $0.reason.isNear }?.remedy(for: host) }
}

extension TrustFailure {
    /// The names that the certificate should contain, for a host mismatch with a name that is nearly right. Nil for
    /// other failures.
    package var nameRemedy: String? { NameMismatch(self)?.remedy }
}

extension RejectedName {
    /// Parses a name of a certificate.
    init(_ name: DERElement, of certificate: Certificate, for host: Hostname) {
        let start = ByteRange(name.contents.start, min(name.contents.end, name.contents.start + Self.maximumSize + 1))
        let bytes = certificate.copy(start)
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        switch name.tag {
        case GeneralNameTag.dnsName: self.init(.dnsName, text(), Self.reason(dnsName: bytes, for: host))
        case GeneralNameTag.ipAddress:
            self.init(.ipAddress, IPAddress.text(bytes), Self.reason(address: bytes, for: host))
        case GeneralNameTag.uniformResourceIdentifier: self.init(.uri, text(), Self.reason(.uri, bytes))
        case GeneralNameTag.rfc822Name: self.init(.email, text(), .formNotCompared)
        default:
            let form: Form =
                switch name.tag {
                case GeneralNameTag.directoryName: .directoryName
                case GeneralNameTag.registeredID: .registeredID
                case GeneralNameTag.x400Address: .x400Address
                case GeneralNameTag.ediPartyName: .ediPartyName
                default: .otherName
                }
            let value =
                name.contentCount <= Self.maximumSize
                ? certificate.generalName(name).value : "a name of \(name.contentCount) bytes"
            self.init(form, value, .formNotCompared)
        }
    }
}

extension GeneralName {
    /// The description without the prefix of the form.
    fileprivate var value: String {
        let text = description
        return text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) } ?? text
    }
}
