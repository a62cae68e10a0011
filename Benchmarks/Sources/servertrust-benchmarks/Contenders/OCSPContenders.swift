// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import PKIX
import ServerTrustTesting

/// A leaf below a root, and the OCSP response for it, signed by the root.
struct StapledLeaf {
    let path: ValidatedPath
    let response: [UInt8]

    init() throws {
        let root = try TestAuthority.root(.authority("OCSP CA"))
        let leaf = try root.issue(.leaf("a.example"))
        self.response = try root.ocspResponse { $0.add(leaf.certificate) }.der
        self.path = try PathValidator(anchors: [root.certificate], memory: nil)
            .validate(leaf.certificate, host: nil, at: TestAuthority.now).get()
    }
}

/// This package: a response from bytes to a finding.
struct EngineOCSP: Contender {
    let name = ContenderName.ours
    let stapled: StapledLeaf

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            // Created every time, so that no signature is remembered.
            let evidence = RevocationEvidence(staple: try OCSPResponse(der: stapled.response))
            let checker = RevocationChecker(evidence, at: TestAuthority.now, memory: nil)
            guard checker.findings(for: stapled.path).first?.status == .good else {
                throw WrongAnswer(contender: name, what: "not good")
            }
        }
    }
}

/// OpenSSL: a response from bytes to a verified status. It doesn't check the dates, which OpenSSL compares with the
/// machine's clock.
final class OpenSSLOCSP: Contender, @unchecked Sendable {
    // Proof of sendability: the pointers are set once, and verification only changes reference counts, under OpenSSL's
    // own locks.
    let name = ContenderName.openSSL
    private let response: [UInt8]
    private let leaf: OpaquePointer?
    private let issuer: OpaquePointer?
    private let signers: OpaquePointer?

    init(_ stapled: StapledLeaf) {
        self.response = stapled.response
        self.leaf = openSSLCertificate(stapled.path.leaf.der)
        self.issuer = openSSLCertificate(stapled.path.anchor.der)
        self.signers = OPENSSL_sk_new_null()
        if let issuer { OPENSSL_sk_push(signers, UnsafeRawPointer(issuer)) }
    }

    deinit {
        OPENSSL_sk_free(signers)
        X509_free(leaf)
        X509_free(issuer)
    }

    @inline(never)
    func run(_ iterations: Int) throws {
        for _ in 0..<iterations {
            guard status() == V_OCSP_CERTSTATUS_GOOD else { throw WrongAnswer(contender: name, what: "not good") }
        }
    }

    private func status() -> Int32 {
        let parsed = response.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &position, bytes.count)
        }
        let basic = OCSP_response_get1_basic(parsed)
        let id = OCSP_cert_to_id(EVP_sha1(), leaf, issuer)
        defer {
            OCSP_CERTID_free(id)
            OCSP_BASICRESP_free(basic)
            OCSP_RESPONSE_free(parsed)
        }
        // OpenSSL already knows the issuer, as this package does, so it doesn't build a chain to it.
        guard OCSP_basic_verify(basic, signers, nil, UInt(OCSP_TRUSTOTHER)) == 1 else { return -1 }
        var status: Int32 = -1
        guard OCSP_resp_find_status(basic, id, &status, nil, nil, nil, nil) == 1 else { return -1 }
        return status
    }
}
