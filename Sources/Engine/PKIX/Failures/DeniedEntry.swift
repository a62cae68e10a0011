// SPDX-License-Identifier: Apache-2.0

extension TrustFailure {
    /// The entry of a list that denies or distrusts a certificate.
    ///
    /// ```swift
    /// for failure in verdict.failures where failure.deniedEntry?.kind == .key {
    ///     …
    /// }
    /// ```
    public struct DeniedEntry: Sendable, Hashable {
        /// The kinds of things that an entry names. Raw values are stable.
        public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            /// One certificate, by its SHA-256.
            case certificate
            /// Every certificate of a key.
            case key
            /// One certificate, by its serial number and its issuer's name or key.
            case issuerAndSerial
            /// The certificates of a subject with a key, or with other keys than the subject may have.
            case subjectAndKey
        }

        /// The kind of thing that the entry names.
        public let kind: Kind
        /// The certificate's SHA-256 or serial number in hexadecimal, or its key as `sha256/BASE64`.
        public let name: String
        /// The list or the reason, for people; empty for none.
        public let reason: String

        package init(_ kind: Kind, _ name: String, reason: String = "") {
            self.kind = kind
            self.name = name
            self.reason = reason
        }
    }

    /// The entry that denies the certificate; nil for another code than ``Code-swift.struct/certificateDenied``.
    public var deniedEntry: DeniedEntry? {
        guard code == .certificateDenied, case .list(let members) = found, members.count > 1,
            let kind = DeniedEntry.Kind(rawValue: members[0])
        else { return nil }
        return DeniedEntry(kind, members[1], reason: members.count > 2 ? members[2] : "")
    }
}

extension TrustFailure.DeniedEntry {
    /// The entry as the value that a failure has found: kind, name, and the reason if there is one.
    package var value: TrustFailure.Value { .list([kind.rawValue, name] + (reason.isEmpty ? [] : [reason])) }

    /// Creates the entry of a certificate.
    package static func certificate(sha256 digest: [UInt8], reason: String) -> Self {
        Self(.certificate, Hex.encode(digest), reason: reason)
    }

    /// Creates the entry of a key.
    /// - Parameter digest: the SHA-256 of its SubjectPublicKeyInfo.
    package static func key(sha256 digest: [UInt8], reason: String) -> Self {
        Self(.key, "sha256/" + Base64.encode(digest), reason: reason)
    }

    /// Creates the entry of a serial number and its issuer.
    /// - Parameter serialNumber: the contents of the INTEGER.
    package static func issuerAndSerial(serialNumber: [UInt8], reason: String) -> Self {
        Self(.issuerAndSerial, Hex.encode(serialNumber.prefix(32)), reason: reason)
    }
}
