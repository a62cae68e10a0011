// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// swift-certificates: leaf and intermediate from bytes to a validated chain.
struct CertificatesPath: Contender {
    let name = ContenderName.certificates
    let roots: CertificateStore
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let time: Date

    init(_ chain: ServerChain, _ roots: SystemRoots) throws {
        let system = roots.der.compactMap { try? X509.Certificate(derEncoded: $0) }
        self.roots = CertificateStore(system + [try X509.Certificate(derEncoded: chain.root.der)])
        self.leaf = chain.leaf.der
        self.intermediate = chain.intermediate.der
        self.time = Date(timeIntervalSince1970: TimeInterval(chain.time.secondsSinceEpoch))
    }

    @inline(never)
    func run(_ iterations: Int) async throws {
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            ServerIdentityPolicy(serverHostname: ServerChain.hostname, serverIP: nil)
        }
        for _ in 0..<iterations {
            let leaf = try X509.Certificate(derEncoded: self.leaf)
            let intermediate = try X509.Certificate(derEncoded: self.intermediate)
            let outcome = await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
            guard case .validCertificate(let chain) = outcome, chain.count == 3 else {
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
