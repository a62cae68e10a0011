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
        /// The kind of entry. Raw values are stable.
        public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            /// One certificate, identified by its SHA-256 digest.
            case certificate
            /// Every certificate with a certain key.
            case key
            /// One certificate, identified by its serial number and its issuer's name or key.
            case issuerAndSerial
            /// The certificates of a subject with a certain key, or with any key that the list doesn't allow for the
            /// subject.
            case subjectAndKey
        }

        /// The kind of entry.
        public let kind: Kind
        /// The certificate's SHA-256 digest or serial number in hexadecimal, or its key as `sha256/BASE64`.
        public let name: String
        /// The name of the list or the reason, for people, or an empty string.
        public let reason: String

        package init(_ kind: Kind, _ name: String, reason: String = "") {
            self.kind = kind
            self.name = name
            self.reason = reason
        }
    }

    /// The entry that denies the certificate, or nil if the code isn't ``Code-swift.struct/certificateDenied``.
    public var deniedEntry: DeniedEntry? {
        guard code == .certificateDenied, case .list(let members) = found, members.count > 1,
            let kind = DeniedEntry.Kind(rawValue: members[0])
        else { return nil }
        return DeniedEntry(kind, members[1], reason: members.count > 2 ? members[2] : "")
    }
}

extension TrustFailure.DeniedEntry {
    /// The entry in the form of ``TrustFailure/found``: kind, name, and the reason if there is one.
    package var value: TrustFailure.Value { .list([kind.rawValue, name] + (reason.isEmpty ? [] : [reason])) }

    /// Creates an entry for one certificate.
    package static func certificate(sha256 digest: [UInt8], reason: String) -> Self {
        Self(.certificate, Hex.encode(digest), reason: reason)
    }

    /// Creates an entry for a key.
    /// - Parameter digest: the SHA-256 digest of the key's SubjectPublicKeyInfo.
    package static func key(sha256 digest: [UInt8], reason: String) -> Self {
        Self(.key, "sha256/" + Base64.encode(digest), reason: reason)
    }

    /// Creates an entry for a serial number and an issuer.
    /// - Parameter serialNumber: the contents of the INTEGER.
    package static func issuerAndSerial(serialNumber: [UInt8], reason: String) -> Self {
        Self(.issuerAndSerial, Hex.encode(serialNumber.prefix(32)), reason: reason)
    }
}
