// SPDX-License-Identifier: Apache-2.0

// A file that imports other libraries together with this package, and uses types of each without a module name.

import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOSSL
import ServerTrust
import ServerTrustHTTP
import ServerTrustTesting
import SwiftASN1
import X509

/// Types from swift-certificates whose names this package's engine also uses.
struct TheirCertificate {
    let certificate: Certificate
    let store: CertificateStore

    func names() throws -> [GeneralName] {
        let names = try certificate.extensions.subjectAlternativeNames
        return names.map { Array($0) } ?? []
    }

    func usage() throws -> (KeyUsage?, BasicConstraints?, AuthorityKeyIdentifier?) {
        let extensions: Certificate.Extensions = certificate.extensions
        return (try extensions.keyUsage, try extensions.basicConstraints, try extensions.authorityKeyIdentifier)
    }

    func subject() throws -> DistinguishedName { try DistinguishedName { CommonName("api.example.com") } }

    func verify() async throws -> Bool {
        var verifier = Verifier(rootCertificates: store) { RFC5280Policy() }
        let result = await verifier.validate(leaf: certificate, intermediates: store)
        if case .validCertificate = result { return true }
        return false
    }

    func der() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}

/// Types from NIOSSL, swift-crypto, Foundation and async-http-client.
struct TheirClient {
    let certificate: NIOSSLCertificate
    let key: P256.Signing.PublicKey
    let date: Date
    let request: HTTPClientRequest
    let configuration: TLSConfiguration
    let timeout: TimeAmount
}

/// This package's types.
struct OurTrust {
    let manager: ServerTrustManager
    let host: Hostname
    let time: Time
    let pin: SPKIPin
    let key: SubjectPublicKeyInfo
    let anchors: TrustAnchors
    let failure: TrustFailure
    let client: TrustedHTTPClient

    init(_ der: [[UInt8]]) throws {
        host = try Hostname("api.example.com")
        time = Time.now()
        anchors = .system
        let chain = PresentedChain(der: der)
        let trust = Trust(presentedChain: chain, host: host)
        let verdict = trust.evaluate()
        guard let leaf = verdict.path.first, let headline = verdict.headline else { throw CancellationError() }
        failure = headline
        key = leaf.subjectPublicKeyInfo
        pin = SPKIPin(key)
        manager = try ServerTrustManager(evaluators: [
            "api.example.com": SPKIPinsTrustEvaluator(try SPKIPinSet(pins: [pin], backup: [pin]), scope: .leaf)
        ])
        client = try TrustedHTTPClient(trust: ServerTrustConfiguration(manager))
    }

    /// A function with our certificate and one from swift-certificates, both unqualified.
    func compare(_ theirs: Certificate, _ chain: PresentedChain) throws -> Bool {
        var serializer = DER.Serializer()
        try serializer.serialize(theirs)
        return chain.leaf?.der == serializer.serializedBytes
    }
}
