// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import PKIX
import ServerTrustTesting

/// This package: from a CRL's bytes to a finding for a certificate that it doesn't list. Includes the signature.
struct EngineCheckedCRL: Contender {
    let name: String
    private let der: [UInt8]
    private let path: ValidatedPath

    init(_ name: String, _ crl: LargeCRL) throws {
        self.name = name
        der = crl.der
        path = try PathValidator(anchors: [crl.authority.certificate], memory: nil)
            .validate(crl.unlisted, host: nil, at: TestAuthority.now).get()
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let evidence = RevocationEvidence(crls: [try CertificateRevocationList(der: der)])
            let checker = RevocationChecker(evidence, at: TestAuthority.now, memory: nil)
            guard let finding = checker.findings(for: path).first, finding.status == .good else {
                throw WrongAnswer(contender: name, what: "not good")
            }
        }
    }
}

/// OpenSSL: from a CRL's bytes to the answer about a certificate that it doesn't list. Includes the signature, but not
/// the dates, which OpenSSL compares with the machine's clock.
final class OpenSSLCheckedCRL: Contender, @unchecked Sendable {
    // Proof of sendability: both pointers are set once, and OpenSSL's certificates have their own locks.
    let name: String
    private let der: [UInt8]
    private let issuer: OpaquePointer?
    private let certificate: OpaquePointer?

    init(_ name: String, _ crl: LargeCRL) {
        self.name = name
        der = crl.der
        issuer = openSSLCertificate(crl.authority.certificate.der)
        certificate = openSSLCertificate(crl.unlisted.der)
    }

    deinit {
        X509_free(issuer)
        X509_free(certificate)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let crl = openSSLCRL(der)
            defer { X509_CRL_free(crl) }
            var entry: OpaquePointer?
            guard crl != nil, X509_CRL_verify(crl, X509_get0_pubkey(issuer)) == 1,
                X509_CRL_get0_by_cert(crl, &entry, certificate) == 0
            else { throw WrongAnswer(contender: name, what: "not good") }
        }
    }
}

/// This package: whether certificates are listed, another one each time. All are.
struct EngineCRLLookups: Contender {
    let name: String
    let crl: CertificateRevocationList
    let certificates: [Certificate]

    @inline(never)
    func run(_ iterations: Int) throws {
        var index = 0
        for _ in 0..<iterations {
            index = index + 1 < certificates.count ? index + 1 : 0
            guard crl.entry(for: certificates[index]) != nil else {
                throw WrongAnswer(contender: name, what: "not listed")
            }
        }
    }
}

/// OpenSSL: whether certificates are listed, another one each time. All are.
final class OpenSSLCRLLookups: Contender, @unchecked Sendable {
    // Proof of sendability: the pointers are set once, and only the first lookup, which `init` performs, changes the
    // CRL.
    let name: String
    private let crl: OpaquePointer?
    private let certificates: [OpaquePointer?]

    init(name: String, _ der: [UInt8], _ certificates: [Certificate]) throws {
        self.name = name
        crl = openSSLCRL(der)
        self.certificates = certificates.map { openSSLCertificate($0.der) }
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
            guard X509_CRL_get0_by_cert(crl, &entry, certificates[index]) == 1 else {
                throw WrongAnswer(contender: name, what: "not listed")
            }
        }
    }
}
