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

/// This package: whether certificates are listed, the next one each time.
struct EngineCRLLookups: Contender {
    let name: String
    private let crl: CertificateRevocationList
    private let certificates: [Certificate]
    private let areListed: Bool

    init(_ name: String, _ crl: CertificateRevocationList, _ certificates: [Certificate], areListed: Bool) {
        self.name = name
        self.crl = crl
        self.certificates = certificates
        self.areListed = areListed
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        var index = 0
        for _ in 0..<iterations {
            index = index + 1 < certificates.count ? index + 1 : 0
            guard (crl.entry(for: certificates[index]) != nil) == areListed else {
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

/// OpenSSL: whether certificates are listed, the next one each time.
final class OpenSSLCRLLookups: Contender, @unchecked Sendable {
    // Proof of sendability: the pointers are set once, and only the first lookup, which `init` performs, changes the
    // CRL.
    let name: String
    private let crl: OpaquePointer?
    private let certificates: [OpaquePointer?]
    private let areListed: Bool

    init(_ name: String, _ der: [UInt8], _ certificates: [Certificate], areListed: Bool) throws {
        self.name = name
        self.crl = openSSLCRL(der)
        self.certificates = certificates.map { openSSLCertificate($0.der) }
        self.areListed = areListed
        try run(1)
    }

    deinit {
        X509_CRL_free(crl)
        for certificate in certificates { X509_free(certificate) }
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        var index = 0
        for _ in 0..<iterations {
            index = index + 1 < certificates.count ? index + 1 : 0
            var entry: OpaquePointer?
            guard (X509_CRL_get0_by_cert(crl, &entry, certificates[index]) == 1) == areListed else {
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
