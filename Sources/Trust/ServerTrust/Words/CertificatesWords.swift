// SPDX-License-Identifier: Apache-2.0

import PKIX

// The words of swift-certificates that a program writes next to ours, each unavailable with the name of what to write; see
// AlamofireManager.swift.

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

/// The policy of swift-certificates for paths.
@available(*, unavailable, message: "Trust checks RFC 5280 without a policy; see TrustSettings.policy")
public struct RFC5280Policy: Sendable {
    public init() {}
}

/// The policy of swift-certificates for names.
@available(*, unavailable, message: "Trust checks the name of its host")
public struct ServerIdentityPolicy: Sendable {
    public init(serverHostname: String?, serverIP: String?) {}
}

extension TrustAnchors {
    /// The roots of the system, as swift-certificates names them.
    @available(*, unavailable, renamed: "system")
    public static var systemTrustRoots: TrustAnchors { .system }

    /// Creates anchors as swift-certificates creates a store.
    @available(*, unavailable, renamed: "only(_:)")
    public init(_ certificates: some Sequence<Certificate>) { self = .only([]) }
}

extension Trust {
    /// Validates with the parameters of swift-certificates.
    @available(*, unavailable, renamed: "evaluate()", message: "the presented chain has leaf and intermediates")
    public func validate(leaf: Certificate, intermediates: [Certificate]) async -> TrustVerdict? { nil }
}

extension TrustVerdict {
    /// The path of a trusted server, as swift-certificates names it.
    @available(*, unavailable, renamed: "path")
    public var validCertificate: ValidatedPath? { nil }
}

extension Certificate {
    /// Reads a certificate as swift-certificates does.
    @available(*, unavailable, renamed: "init(der:)")
    package init(derEncoded der: [UInt8]) throws(DERError) { try self.init(der: []) }

    /// Reads a certificate as swift-certificates does.
    @available(*, unavailable, message: "CertificateFile.certificates(in:name:) reads PEM")
    package init(pemEncoded pem: String) throws(DERError) { try self.init(der: []) }

    /// The first moment of the validity.
    @available(*, unavailable, renamed: "notBefore")
    public var notValidBefore: Time { notBefore }

    /// The last moment of the validity.
    @available(*, unavailable, renamed: "notAfter")
    public var notValidAfter: Time { notAfter }

    /// The key.
    @available(*, unavailable, renamed: "subjectPublicKeyInfo")
    public var publicKey: SubjectPublicKeyInfo { subjectPublicKeyInfo }
}
