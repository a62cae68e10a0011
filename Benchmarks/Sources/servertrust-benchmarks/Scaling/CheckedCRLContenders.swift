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
