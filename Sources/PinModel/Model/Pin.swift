// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Which certificates of the validated path may hold a pin.
public typealias PinScope = SPKIPinsTrustEvaluator.Scope

/// One pin of a rule: a key or a whole certificate, where in the path it counts, and what is written beside it.
public struct Pin: Sendable, Hashable {
    /// What is compared.
    public enum Value: Sendable, Hashable {
        /// SHA-256 of a SubjectPublicKeyInfo.
        case key(SPKIPin)
        /// A certificate, byte for byte.
        case certificate(Certificate)
    }

    /// What a pin is there for.
    public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
        /// Expected to be met now.
        case inUse
        /// Kept ready and not in use yet.
        case backup
    }

    public var value: Value
    /// Where in the path it counts. Of a rule's pins one of **each** scope that occurs has to be met.
    public var scope: PinScope
    /// nil where the format has no word for it, which is in all but our own.
    public var role: Role?
    /// For people.
    public var comment: String?
    /// The day or moment at which it was put into the list.
    public var added: Time?
    /// Where it was read; nil if it wasn't.
    public var place: PinPlace?

    /// - Parameters:
    ///   - value: a key or a certificate.
    ///   - scope: anywhere in the path unless told otherwise, anchor included.
    ///   - role: what it is there for, where that is known.
    ///   - comment: for people.
    ///   - added: when it was put into the list.
    ///   - place: where it was read.
    public init(
        _ value: Value, scope: PinScope = .anywhere, role: Role? = nil, comment: String? = nil, added: Time? = nil,
        place: PinPlace? = nil
    ) {
        self.value = value
        self.scope = scope
        self.role = role
        self.comment = comment
        self.added = added
        self.place = place
    }

    /// The pin of the key; for a certificate that of its key, by which less is asked than by the certificate.
    public var key: SPKIPin {
        switch value {
        case .key(let pin): pin
        case .certificate(let certificate): SPKIPin(certificate)
        }
    }

    /// Whether a certificate is the one that is pinned, or has the key that is. The scope isn't looked at.
    public func matches(_ certificate: Certificate) -> Bool {
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
