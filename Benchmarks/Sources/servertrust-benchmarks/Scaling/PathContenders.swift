// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import Foundation
import PKIX
import SwiftASN1
@_spi(FixedExpiryValidationTime) import X509

/// This package: a presented path from bytes to a validated path. Verifies every signature.
struct EngineScaledPath: Contender {
    let name = ContenderName.ours
    private let validator: PathValidator
    private let chain: [[UInt8]]
    private let host: Hostname
    private let count: Int

    init(_ path: PresentedPath) throws {
        validator = PathValidator(anchors: path.anchors, memory: nil)
        chain = ([path.leaf] + path.intermediates).map(\.der)
        host = try Hostname(path.host)
        count = path.count
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let certificates = try chain.map { try PKIX.Certificate(der: $0) }
            let outcome = validator.validate(chain: certificates, host: host, at: PresentedPath.time)
            guard case .valid(let path) = outcome, path.certificates.count == count else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome?.rejection?.headline.message ?? "?")")
            }
        }
    }
}

/// swift-certificates: a presented path from bytes to a validated chain.
struct CertificatesScaledPath: Contender {
    let name = ContenderName.certificates
    private let roots: CertificateStore
    private let chain: [[UInt8]]
    private let host: String
    private let count: Int

    init(_ path: PresentedPath) {
        roots = CertificateStore(path.anchors.compactMap { try? X509.Certificate(derEncoded: $0.der) })
        chain = ([path.leaf] + path.intermediates).map(\.der)
        (host, count) = (path.host, path.count)
    }

    @inline(never)
    func run(_ iterations: Int) async throws {
        var verifier = Verifier(rootCertificates: roots) {
            RFC5280Policy(fixedExpiryValidationTime: PresentedPath.date)
            ServerIdentityPolicy(serverHostname: host, serverIP: nil)
        }
        for _ in 0..<iterations {
            let certificates = try chain.map { try X509.Certificate(derEncoded: $0) }
            let outcome = await verifier.validate(
                leaf: certificates[0], intermediates: CertificateStore(certificates.dropFirst()))
            guard case .validCertificate(let found) = outcome, found.count == count else {
                throw WrongAnswer(contender: name, what: "rejected: \(outcome)")
            }
        }
    }
}

/// OpenSSL: a presented path from bytes to a verified chain, as its TLS client does it.
struct OpenSSLScaledPath: Contender {
    let name = ContenderName.openSSL
    private let store: OpenSSLStore
    private let chain: [[UInt8]]
    private let host: String
    private let count: Int

    init(_ path: PresentedPath) throws {
        store = try OpenSSLStore(der: path.anchors.map(\.der))
        chain = ([path.leaf] + path.intermediates).map(\.der)
        (host, count) = (path.host, path.count)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            let (code, found) = verify()
            guard code == X509_V_OK, found == count else {
                throw WrongAnswer(
                    contender: name, what: "rejected: \(String(cString: X509_verify_cert_error_string(Int(code))))")
            }
        }
    }

    /// Returns the error and the length of the chain.
    private func verify() -> (Int32, Int) {
        let certificates = chain.map(openSSLCertificate)
        let untrusted = OPENSSL_sk_new_null()
        let context = X509_STORE_CTX_new()
        defer {
            X509_STORE_CTX_free(context)
            OPENSSL_sk_free(untrusted)
            for certificate in certificates { X509_free(certificate) }
        }
        for case let certificate? in certificates.dropFirst() {
            OPENSSL_sk_push(untrusted, UnsafeRawPointer(certificate))
        }
        guard let leaf = certificates.first ?? nil,
            X509_STORE_CTX_init(context, store.pointer, leaf, untrusted) == 1
        else { return (X509_V_ERR_UNSPECIFIED, 0) }
        // Sets the purpose and trust settings of a TLS server.
        X509_STORE_CTX_set_default(context, "ssl_server")
        let parameters = X509_STORE_CTX_get0_param(context)
        X509_VERIFY_PARAM_set_time(parameters, time_t(PresentedPath.time.secondsSinceEpoch))
        X509_VERIFY_PARAM_set1_host(parameters, host, 0)
        guard X509_verify_cert(context) == 1 else { return (X509_STORE_CTX_get_error(context), 0) }
        return (X509_V_OK, Int(OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context))))
    }
}
