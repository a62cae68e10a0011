// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads Mozilla's `certdata.txt`: objects of attributes, one attribute per line, with octets in octal over several
/// lines.
///
/// A root is trusted for TLS if every trust object with its issuer and serial number says so. A root that must be
/// verified isn't an anchor. A root that is not trusted (`CKT_NSS_NOT_TRUSTED`) is distrusted: no path may contain it,
/// as in NSS. The certificate's object or the trust object may have a distrust date, and the earliest one counts.
/// Mozilla's name constraints on two roots aren't in the file, but in the code of NSS (`lib/certdb/genname.c`).
/// ``RootListJSON`` can state them.
///
/// Not checked: whether an object's issuer and serial number match its certificate.
struct CertdataReader {
    private var lines = CertdataLines()
    /// Counts the attributes. Mozilla's list has about 5,000.
    private(set) var meter = WorkMeter(work: 1_000_000)
    private var certificates: [Object] = []
    private var trust: [IssuerAndSerial: Trust] = [:]

    /// The kinds of objects.
    private enum Kind {
        case certificate, trust, other
    }

    /// The attributes of an object that the reader uses.
    private struct Object {
        var kind: Kind
        var line: Int
        var label = ""
        var issuer: [UInt8] = []
        var serialNumber: [UInt8] = []
        /// The SHA-256 of the certificate.
        var sha256: [UInt8] = []
        /// The certificate, or nil if it can't be parsed.
        var certificate: Certificate?
        var distrustAfter: Time?
        var trust: Trust?
    }

    /// The trust in a certificate. If there are several statements, the strictest one counts.
    private struct Trust {
        var isTrusted: Bool
        var isDistrusted: Bool
        var distrustAfter: Time?

        func merged(with other: Trust?) -> Trust {
            guard let other else { return self }
            return Trust(
                isTrusted: isTrusted && other.isTrusted, isDistrusted: isDistrusted || other.isDistrusted,
                distrustAfter: earliest(distrustAfter, other.distrustAfter))
        }
    }

    /// Whether bytes are in this format: the first line that isn't a comment begins an object.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        var lines = ByteLines(bytes)
        while let line = lines.next() {
            if line.starts(with: "BEGINDATA".utf8) || line.starts(with: "CKA_CLASS".utf8) { return true }
            guard line.first.map({ $0 == UInt8(ascii: "#") }) ?? true || line.starts(with: "CVS_ID".utf8) else {
                return false
            }
        }
        return false
    }

    /// Reads a list.
    /// - Parameter date: the date of the list, which the file doesn't contain.
    /// - Throws: ``RootListError`` with the line of the first invalid attribute, and for a file without a trusted root.
    static func read(_ bytes: [UInt8], date: Time?) throws(RootListError) -> RootList {
        var reader = CertdataReader()
        try reader.readObjects(bytes.span)
        return try reader.list(date: date)
    }
}

private func earliest(_ one: Time?, _ other: Time?) -> Time? { [one, other].compactMap { $0 }.min() }

// MARK: - Objects

extension CertdataReader {
    mutating func readObjects(_ text: Span<UInt8>) throws(RootListError) {
        var current: Object?
        while let attribute = try lines.next(text) {
            guard meter.charge(work: 1) else { throw RootListError(line: lines.number, "expected fewer attributes") }
            if text.has(attribute.name, "CKA_CLASS") {
                if let current { try keep(current) }
                current = Object(kind: Self.kind(text, attribute.value), line: lines.number)
                continue
            }
            if text.has(attribute.name, "CVS_ID") { continue }
            guard current != nil else {
                throw lines.error("an object that begins with CKA_CLASS", text, attribute.name)
            }
            try set(&current, text, attribute)
        }
        if let current { try keep(current) }
    }

    private static func kind(_ text: Span<UInt8>, _ value: Range<Int>) -> Kind {
        if text.has(value, "CKO_CERTIFICATE") { return .certificate }
        return text.has(value, "CKO_NSS_TRUST") || text.has(value, "CKO_TRUST") ? .trust : .other
    }

    private mutating func set(
        _ object: inout Object?, _ text: Span<UInt8>, _ attribute: CertdataLines.Attribute
    ) throws(RootListError) {
        let name = attribute.name
        if text.has(name, "CKA_VALUE") {
            let der = Array(lines.octets)
            object?.sha256 = der.isEmpty ? [] : Digests.sha256(der)
            object?.certificate = try? Certificate(der: der)
        } else if text.has(name, "CKA_ISSUER") {
            object?.issuer = Array(lines.octets)
        } else if text.has(name, "CKA_SERIAL_NUMBER") {
            object?.serialNumber = Array(lines.octets)
        } else if text.has(name, "CKA_LABEL") {
            object?.label = Self.label(text, attribute.value)
        } else if text.has(name, "CKA_TRUST_SERVER_AUTH") || text.has(name, "CKA_PKCS_TRUST_SERVER_AUTH") {
            let trust = Self.trust(text, attribute.value).merged(with: object?.trust)
            object?.trust = trust
        } else if text.has(name, "CKA_NSS_SERVER_DISTRUST_AFTER") {
            let date = earliest(object?.distrustAfter, try date(text, attribute))
            object?.distrustAfter = date
        }
    }

    /// Returns a label without its quotation marks.
    private static func label(_ text: Span<UInt8>, _ value: Range<Int>) -> String {
        let quote = UInt8(ascii: "\"")
        let isQuoted = value.count >= 2 && text[value.lowerBound] == quote && text[value.upperBound - 1] == quote
        return text.text(isQuoted ? value.dropFirst().dropLast() : value, maximum: 256)
    }

    private static func trust(_ text: Span<UInt8>, _ value: Range<Int>) -> Trust {
        Trust(
            isTrusted: text.has(value, "CKT_NSS_TRUSTED_DELEGATOR") || text.has(value, "CKT_TRUST_ANCHOR"),
            isDistrusted: text.has(value, "CKT_NSS_NOT_TRUSTED") || text.has(value, "CKT_NOT_TRUSTED"))
    }

    /// Returns a distrust date, or nil for CK_FALSE, which means no date.
    private func date(_ text: Span<UInt8>, _ attribute: CertdataLines.Attribute) throws(RootListError) -> Time? {
        if lines.octets.isEmpty {
            guard text.has(attribute.value, "CK_FALSE") else {
                throw lines.error("octets or CK_FALSE", text, attribute.value)
            }
            return nil
        }
        guard let date = Time(utcTime: Array(lines.octets)) else {
            throw .unexpected(
                line: lines.number, expected: "a date YYMMDDHHMMSSZ",
                found: String(decoding: lines.octets.prefix(64), as: UTF8.self))
        }
        return date
    }

    private mutating func keep(_ object: Object) throws(RootListError) {
        guard object.kind != .other else { return }
        guard let key = IssuerAndSerial(issuer: object.issuer, serialNumberDER: object.serialNumber) else {
            throw RootListError(line: object.line, "an object without issuer or serial number")
        }
        if object.kind == .certificate {
            guard !object.sha256.isEmpty else {
                throw RootListError(line: object.line, "a certificate object without CKA_VALUE")
            }
            certificates.append(object)
            return
        }
        var trust = object.trust ?? Trust(isTrusted: false, isDistrusted: false)
        trust.distrustAfter = object.distrustAfter
        self.trust[key] = trust.merged(with: self.trust[key])
    }
}

// MARK: - The list

extension CertdataReader {
    private func list(date: Time?) throws(RootListError) -> RootList {
        var list = RootList(program: "Mozilla", date: date, isComplete: true)
        for object in certificates {
            guard let key = IssuerAndSerial(issuer: object.issuer, serialNumberDER: object.serialNumber) else {
                continue
            }
            let found = trust[key]
            var entry = RootList.Entry(label: object.label, alternatives: [])
            let end = earliest(object.distrustAfter, found?.distrustAfter)
            if let found, found.isTrusted, !found.isDistrusted {
                var constraints = AnchorConstraints()
                if let end { constraints.dates = [IssuanceLimit(.notAfter, end, clock: .notBeforeOrTimestamp)] }
                entry.alternatives = [constraints]
            } else {
                entry.distrustedAfter = end
            }
            if let certificate = object.certificate {
                list.add(certificate, entry)
            } else {
                list.add(object.sha256, entry)
            }
            guard found?.isDistrusted == true else { continue }
            list.distrust(.certificate(object.sha256))
            if let certificate = object.certificate { list.distrust(certificate) }
        }
        for (key, found) in trust where found.isDistrusted { list.distrust(.serialNumber(key)) }
        return try list.trustingARoot()
    }
}
