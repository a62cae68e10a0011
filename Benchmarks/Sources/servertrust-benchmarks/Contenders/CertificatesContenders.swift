// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// swift-certificates: a presented path from bytes to a validated chain.
struct CertificatesPath: Contender {
    let name = ContenderName.certificates
    private let roots: CertificateStore
    private let leaf: [UInt8]
    private let intermediates: [[UInt8]]
    private let host: String
    private let count: Int
    private let time = Date(timeIntervalSince1970: TimeInterval(PresentedPath.time.secondsSinceEpoch))

    init(_ path: PresentedPath) {
        roots = CertificateStore(path.anchors.compactMap { try? X509.Certificate(derEncoded: $0.der) })
        leaf = path.leaf.der
        intermediates = path.intermediates.map(\.der)
        (host, count) = (path.host, path.count)
    }

    @inline(never)
    func run(_ iterations: Int) async throws {
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            ServerIdentityPolicy(serverHostname: host, serverIP: nil)
        }
        for _ in 0..<iterations {
            let leaf = try X509.Certificate(derEncoded: self.leaf)
            let intermediates = try intermediates.map { try X509.Certificate(derEncoded: $0) }
            let outcome = await verifier.validate(leaf: leaf, intermediates: CertificateStore(intermediates))
            guard case .validCertificate(let chain) = outcome, chain.count == count else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome)")
            }
        }
    }
}

/// swift-certificates: one certificate from bytes.
struct CertificatesParse: Contender {
    let name = ContenderName.certificates
    let der: [UInt8]

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            guard try X509.Certificate(derEncoded: der).version == .v3 else {
                throw WrongAnswer(contender: name, what: "not version 3")
            }
        }
    }
}

/// swift-certificates: from a bundle's text to a store of roots.
struct CertificatesRoots: Contender {
    let name = ContenderName.certificates
    let pem: String
    /// The number of certificates that it reads, including repetitions.
    let count: Int

    init(pem: [UInt8]) throws {
        self.pem = String(decoding: pem, as: UTF8.self)
        self.count = try Self.read(self.pem).count
    }

    private static func read(_ pem: String) throws -> [X509.Certificate] {
        try PEMDocument.parseMultiple(pemString: pem).compactMap { try? X509.Certificate(pemDocument: $0) }
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let certificates = try Self.read(pem)
            let store = CertificateStore(certificates)
            guard certificates.count == count, store != CertificateStore() else {
                throw WrongAnswer(contender: name, what: "\(certificates.count) roots of \(count)")
            }
        }
    }
}
