// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The list of a root program, such as Mozilla's or Chrome's: the roots that it trusts, each with its conditions.
///
/// A list tightens a store of anchors and never adds to one. Nothing is built in and nothing is fetched: a list is a file of the caller's,
/// and verdicts name its source and date.
public struct RootList: Sendable {
    /// One root of a list.
    package struct Entry: Sendable, Hashable {
        /// The list's name of the root; not the certificate's.
        package var label: String
        /// The sets of constraints of which a path has to meet one. A root without conditions has one empty set; one that isn't trusted for
        /// TLS has none.
        package var alternatives: [AnchorConstraints]
        /// The policies for which the list accepts statements of extended validation; nil for a list that doesn't name any, empty for none.
        package var extendedValidationPolicies: [OID]?
        /// The date after which leaves were distrusted before the root lost its trust; nil if the list has none, and for trusted roots.
        package var distrustedAfter: Time?

        /// Whether a path to the root has to meet any condition.
        var isUnconditional: Bool { alternatives == [AnchorConstraints()] }
    }

    /// The root program, as verdicts name it: `Mozilla`.
    public let program: String

    /// The date of the list; nil for a list without one.
    public let date: Time?

    /// Whether the list has every root of its program, so that absence means distrust.
    public let isComplete: Bool

    /// The roots by the SHA-256 of their certificates.
    package private(set) var entries: [[UInt8]: Entry] = [:]

    /// The certificates that the program distrusts by issuer and serial number, without having them.
    package private(set) var distrusted: Set<IssuerAndSerial> = []

    init(program: String, date: Time?, isComplete: Bool) {
        self.program = program
        self.date = date
        self.isComplete = isComplete
    }

    /// The number of roots.
    public var count: Int { entries.count }

    /// Whether ``date`` is that of the file's last change, which may be much later than the program's list.
    var isDateOfFile = false

    /// The program and the date of the list, for verdicts: `Mozilla, 2026-06-13`, or `Mozilla, file of 2026-06-13`.
    package var source: String {
        date.map { "\(program), \(isDateOfFile ? "file of " : "")\($0.description.prefix(10))" } ?? program
    }

    /// Adds a root; one that is there already has to meet both.
    mutating func add(_ sha256: [UInt8], _ entry: Entry) {
        guard let other = entries[sha256] else {
            entries[sha256] = entry
            return
        }
        // The stricter of both; two entries of one file that contradict each other leave nothing to trust.
        if let policies = entry.extendedValidationPolicies {
            // Each once, so that what is left is no longer than the shorter of both.
            var common = Set(policies)
            entries[sha256]?.extendedValidationPolicies =
                other.extendedValidationPolicies?.filter { common.remove($0) != nil } ?? policies
        }
        guard other.alternatives != entry.alternatives else { return }
        if other.isUnconditional {
            entries[sha256]?.alternatives = entry.alternatives
        } else if !entry.isUnconditional {
            entries[sha256]?.alternatives = []
        }
    }

    mutating func distrust(_ certificate: IssuerAndSerial) { distrusted.insert(certificate) }

    /// Whether the list says nothing about any certificate.
    var isEmpty: Bool { entries.isEmpty && distrusted.isEmpty }

    /// Returns the list if it trusts a root.
    /// - Throws: ``RootListError`` for a list that would distrust every root, as one that is cut off or of another form would.
    func trustingARoot() throws(RootListError) -> RootList {
        guard entries.values.contains(where: { !$0.alternatives.isEmpty }) else {
            throw RootListError(line: nil, "no root is trusted for TLS, expected a whole list")
        }
        return self
    }

    /// Returns the conditions of the list on a certificate, those that every path meets included; nil if it says nothing about it.
    /// - Parameter unlistedIsDistrusted: whether a certificate that a complete list doesn't have is distrusted.
    package func conditions(for certificate: Certificate, unlistedIsDistrusted: Bool) -> AnchorConditions? {
        // Distrust by name outweighs an entry.
        if !distrusted.isEmpty, distrusted.contains(IssuerAndSerial(certificate)) {
            return AnchorConditions(source: source, alternatives: [])
        }
        if let entry = entries[certificate.sha256] {
            var conditions = AnchorConditions(source: source, alternatives: entry.alternatives)
            conditions.extendedValidationPolicies = entry.extendedValidationPolicies
            return conditions
        }
        return isComplete && unlistedIsDistrusted ? .unlisted(source: source) : nil
    }
}

/// The name by which lists refer to a certificate that they don't have (RFC 5652 § 10.2.4).
package struct IssuerAndSerial: Sendable, Hashable {
    /// The issuer's name, in DER.
    let issuer: [UInt8]
    /// The contents of the serial number.
    let serialNumber: [UInt8]

    init(issuer: [UInt8], serialNumber: [UInt8]) {
        self.issuer = issuer
        self.serialNumber = serialNumber
    }

    /// Creates the name of an issuer and a serial number in DER; nil if one of them is missing or no INTEGER.
    init?(issuer: [UInt8], serialNumberDER der: [UInt8]) {
        guard !issuer.isEmpty, der.count > 2, der[0] == 0x02, der[1] < 0x80, Int(der[1]) == der.count - 2 else {
            return nil
        }
        self.init(issuer: issuer, serialNumber: Array(der.dropFirst(2)))
    }

    init(_ certificate: Certificate) {
        self.init(issuer: certificate.issuer.der, serialNumber: certificate.serialNumber.bytes)
    }
}
