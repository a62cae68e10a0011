// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Names of swift-certificates that a program might use with this package. Each is unavailable and its message says what
// to write instead. See AlamofireManager.swift.

/// The roots of swift-certificates.
@available(*, unavailable, renamed: "TrustAnchors", message: "write .only(_:), .system or .system(adding:)")
public struct CertificateStore: Sendable {
    public init() {}
    public init(_ certificates: some Sequence<Certificate>) {}
    public static var systemTrustRoots: CertificateStore { CertificateStore() }
}

/// The verifier of swift-certificates.
@available(
    *, unavailable, renamed: "Trust", message: "write Trust(presentedChain:host:).evaluate(); roots go to its anchors"
)
public struct Verifier<Policy> {
    public init(rootCertificates: TrustAnchors, policy: () throws -> Policy) rethrows {}
}

/// The policy that swift-certificates applies to paths.
@available(*, unavailable, message: "Trust checks RFC 5280 without a policy; see TrustSettings.policy")
public struct RFC5280Policy: Sendable {
    public init() {}
}

/// The policy that swift-certificates applies to names.
@available(*, unavailable, message: "Trust checks the name of its host")
public struct ServerIdentityPolicy: Sendable {
    public init(serverHostname: String?, serverIP: String?) {}
}

extension TrustAnchors {
    /// The system's roots under their swift-certificates name.
    @available(*, unavailable, renamed: "system")
    public static var systemTrustRoots: TrustAnchors { .system }

    /// Creates anchors in the way swift-certificates creates a store.
    @available(*, unavailable, renamed: "only(_:)")
    public init(_ certificates: some Sequence<Certificate>) { self = .only([]) }
}

extension Trust {
    /// Validates with the parameters of swift-certificates.
    @available(*, unavailable, renamed: "evaluate()", message: "the presented chain has leaf and intermediates")
    public func validate(leaf: Certificate, intermediates: [Certificate]) async -> TrustVerdict? { nil }
}

extension TrustVerdict {
    /// The path of a trusted server under its swift-certificates name.
    @available(*, unavailable, renamed: "path")
    public var validCertificate: ValidatedPath? { nil }
}

extension Certificate {
    /// Parses a certificate with the parameters of swift-certificates.
    @available(*, unavailable, renamed: "init(der:)")
    init(derEncoded der: [UInt8]) throws(DERError) { try self.init(der: []) }

    /// Parses a certificate with the parameters of swift-certificates.
    @available(*, unavailable, message: "CertificateFile.certificates(in:name:) reads PEM")
    init(pemEncoded pem: String) throws(DERError) { try self.init(der: []) }

    /// The start of the validity.
    @available(*, unavailable, renamed: "notBefore")
    public var notValidBefore: Time { notBefore }

    /// The end of the validity.
    @available(*, unavailable, renamed: "notAfter")
    public var notValidAfter: Time { notAfter }

    /// The public key.
    @available(*, unavailable, renamed: "subjectPublicKeyInfo")
    public var publicKey: SubjectPublicKeyInfo { subjectPublicKeyInfo }
}
