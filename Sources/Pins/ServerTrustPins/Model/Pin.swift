// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The certificates of a validated path that may match a pin.
package typealias PinScope = SPKIPinsTrustEvaluator.Scope

/// A rule's pin: a key or a whole certificate, its scope, and its annotations.
public struct Pin: Sendable, Hashable {
    /// The value that certificates are compared with.
    public enum Value: Sendable, Hashable {
        /// The SHA-256 of a SubjectPublicKeyInfo.
        case key(SPKIPin)
        /// A certificate, compared byte for byte.
        case certificate(Certificate)
    }

    /// The purpose of a pin.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// The key is expected to be in use now.
        case inUse
        /// The key is a reserve key.
        case backup
    }

    /// The value that certificates are compared with.
    public var value: Value
    /// The certificates of a path that may match the pin. A path has to match one pin of each scope that occurs in the
    /// rule.
    public var scope: SPKIPinsTrustEvaluator.Scope
    /// The purpose of the pin, or nil if unknown, as in all formats except our own JSON.
    public var role: Role?
    /// A human-readable comment.
    package var comment: String?
    /// The date or time when the pin was added to the list, or nil if unknown.
    package var added: Time?
    /// The location that the pin was read from, or nil for a pin created in code.
    public var location: PinFileLocation?

    /// Creates a pin.
    /// - Parameters:
    ///   - value: a key or a certificate.
    ///   - scope: the certificates of the path that may match. By default, any certificate, including the anchor.
    ///   - role: the purpose of the pin, if known.
    ///   - comment: a human-readable comment.
    ///   - added: the time when the pin was added to the list.
    ///   - location: the location that the pin was read from.
    package init(
        _ value: Value, scope: PinScope = .anywhere, role: Role? = nil, comment: String? = nil, added: Time? = nil,
        location: PinFileLocation? = nil
    ) {
        self.value = value
        self.scope = scope
        self.role = role
        self.comment = comment
        self.added = added
        self.location = location
    }

    /// The pin of the key. For a certificate, the pin of its key, which other certificates may match, too.
    public var key: SPKIPin {
        switch value {
        case .key(let pin): pin
        case .certificate(let certificate): SPKIPin(certificate)
        }
    }

    /// Returns whether a certificate is the pinned one or has the pinned key. The scope isn't checked.
    package func matches(_ certificate: Certificate) -> Bool {
        switch value {
        case .key(let pin): pin == SPKIPin(certificate)
        case .certificate(let pinned): pinned == certificate
        }
    }
}

extension Pin.Value: CustomStringConvertible {
    /// `sha256/BASE64` of the key, or `certificate sha256/BASE64` of the certificate's DER.
    public var description: String {
        switch self {
        case .key(let pin): pin.description
        case .certificate(let certificate): "certificate sha256/" + Base64.encode(certificate.sha256)
        }
    }
}

extension Pin: CustomStringConvertible {
    /// `sha256/BASE64 (leaf, backup)`
    public var description: String {
        let notes = [scope.rawValue] + (role == .backup ? ["backup"] : [])
        return "\(value) (\(notes.joined(separator: ", ")))"
    }
}
