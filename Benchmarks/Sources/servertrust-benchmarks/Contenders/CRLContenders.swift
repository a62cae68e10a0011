// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import PKIX

/// This package: a CRL from bytes to its index.
struct EngineCRLIndex: Contender {
    let name = ContenderName.ours
    let crl: LargeCRL

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let parsed = try CertificateRevocationList(der: crl.der)
            guard parsed.count == LargeCRL.count else { throw WrongAnswer(contender: name, what: "\(parsed.count)") }
        }
    }
}

/// This package: whether a certificate is listed.
struct EngineCRLLookup: Contender {
    let name: String
    let crl: CertificateRevocationList
    let certificate: Certificate
    let isListed: Bool

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            guard (crl.entry(for: certificate) != nil) == isListed else {
                throw WrongAnswer(contender: name, what: "the other answer")
            }
        }
    }
}

/// OpenSSL: a CRL from bytes. The first lookup sorts the entries.
struct OpenSSLCRLParse: Contender {
    let name = ContenderName.openSSL
    let crl: LargeCRL

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let parsed = openSSLCRL(crl.der)
            defer { X509_CRL_free(parsed) }
            guard parsed != nil, OPENSSL_sk_num(X509_CRL_get_REVOKED(parsed)) == Int32(LargeCRL.count) else {
                throw WrongAnswer(contender: name, what: "not \(LargeCRL.count) entries")
            }
        }
    }
}

/// OpenSSL: whether a certificate is listed.
final class OpenSSLCRLLookup: Contender, @unchecked Sendable {
    // Proof of sendability: both pointers are set once, and only the first lookup, which `init` performs, changes the
    // CRL.
    let name: String
    private let crl: OpaquePointer?
    private let certificate: OpaquePointer?
    private let isListed: Bool

    init(name: String, _ der: [UInt8], _ certificate: Certificate, isListed: Bool) throws {
        self.name = name
        self.crl = openSSLCRL(der)
        self.certificate = openSSLCertificate(certificate.der)
        self.isListed = isListed
        try run(1)
    }

    deinit {
        X509_CRL_free(crl)
        X509_free(certificate)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            var entry: OpaquePointer?
            guard (X509_CRL_get0_by_cert(crl, &entry, certificate) == 1) == isListed else {
                throw WrongAnswer(contender: name, what: "the other answer")
            }
        }
    }
}

func openSSLCRL(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
        var position = bytes.baseAddress
        return d2i_X509_CRL(nil, &position, bytes.count)
    }
}
