// SPDX-License-Identifier: Apache-2.0

// The public trust API of Alamofire 5.12 as an app uses it, with the diagnostic for each spelling. A line without a
// diagnostic compiles. Our initializers throw for empty lists and unreadable patterns, but Alamofire's never throw.
// Tests/External/words compares the diagnostics with the compiler's.

import PKIX
import ServerTrust
import ServerTrustMigration

// MARK: - The manager

func theManager(_ evaluators: [String: any TrustEvaluator], _ trust: Trust) throws {
    _ = try ServerTrustManager(evaluators: ["api.example.com": DefaultTrustEvaluator()])
    _ = try ServerTrustManager(evaluators: evaluators, allHostsMustBeEvaluated: false)
    _ = try ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: evaluators)
    let manager = try ServerTrustManager(evaluators: evaluators)
    _ = manager.allHostsMustBeEvaluated
    _ = manager.evaluators
    _ = try manager.serverTrustEvaluator(forHost: "api.example.com")
    try manager.evaluate(trust, forHost: "api.example.com")
}

func aManagerWithoutTry(_ evaluators: [String: any TrustEvaluator]) {
    _ = ServerTrustManager(evaluators: evaluators)
}

class WildcardManager: ServerTrustManager {}

// MARK: - The evaluators

func everyEvaluator(_ evaluator: any TrustEvaluator, _ trust: Trust) throws {
    try evaluator.evaluate(trust, forHost: "api.example.com")
    try DefaultTrustEvaluator().evaluate(trust, forHost: "api.example.com")
    try [evaluator].evaluate(trust, forHost: "api.example.com")
}

func theDefaultEvaluator() {
    _ = DefaultTrustEvaluator()
    _ = DefaultTrustEvaluator(validateHost: false)
    let _: [String: any TrustEvaluator] = ["api.example.com": .default]
}

func theDisabledEvaluator() {
    _ = DisabledTrustEvaluator()
    _ = DisabledEvaluator()
    let _: [String: any TrustEvaluator] = ["api.example.com": DisabledTrustEvaluator()]
}

func compositeEvaluators(_ evaluator: any TrustEvaluator) throws {
    _ = try CompositeTrustEvaluator(evaluators: [evaluator])
    let _: [String: any TrustEvaluator] = ["api.example.com": try .composite(evaluators: [evaluator])]
}

func pinnedCertificates(_ certificates: [Certificate]) throws {
    _ = try PinnedCertificatesTrustEvaluator(certificates: certificates)
    _ = try PinnedCertificatesTrustEvaluator(
        certificates: certificates, performDefaultValidation: true, validateHost: true)
    _ = try PinnedCertificatesTrustEvaluator()
    _ = try PinnedCertificatesTrustEvaluator(performDefaultValidation: false)
    _ = try PinnedCertificatesTrustEvaluator(validateHost: false)
    _ = try PinnedCertificatesTrustEvaluator(acceptSelfSignedCertificates: true)
    _ = try PinnedCertificatesTrustEvaluator(certificates: certificates, acceptSelfSignedCertificates: true)
    _ = try PinnedCertificatesTrustEvaluator(
        certificates: certificates, acceptSelfSignedCertificates: true, performDefaultValidation: false,
        validateHost: false)
    let _: [any TrustEvaluator] = [try .pinnedCertificates]
    let _: [any TrustEvaluator] = [try .pinnedCertificates()]
    let _: [any TrustEvaluator] = [try .pinnedCertificates(certificates: certificates)]
    let _: [any TrustEvaluator] = [try .pinnedCertificates(certificates: certificates, validateHost: false)]
    let _: [any TrustEvaluator] = [try .pinnedCertificates(acceptSelfSignedCertificates: true)]
    let _: [any TrustEvaluator] = [
        try .pinnedCertificates(certificates: certificates, acceptSelfSignedCertificates: true)
    ]
}

func pinnedCertificatesWithoutTry(_ certificates: [Certificate]) {
    _ = PinnedCertificatesTrustEvaluator(certificates: certificates)
}

func publicKeys(_ keys: [SubjectPublicKeyInfo]) throws {
    _ = try PublicKeysTrustEvaluator(keys: keys)
    _ = try PublicKeysTrustEvaluator(keys: keys, performDefaultValidation: true, validateHost: true)
    _ = try PublicKeysTrustEvaluator()
    _ = try PublicKeysTrustEvaluator(performDefaultValidation: false)
    _ = try PublicKeysTrustEvaluator(validateHost: false)
    let _: [any TrustEvaluator] = [try .publicKeys]
    let _: [any TrustEvaluator] = [try .publicKeys()]
    let _: [any TrustEvaluator] = [try .publicKeys(keys: keys)]
    let _: [any TrustEvaluator] = [try .publicKeys(keys: keys, performDefaultValidation: false)]
}

func revocation() {
    _ = RevocationTrustEvaluator()
    _ = RevocationTrustEvaluator(validateHost: false)
    _ = RevocationTrustEvaluator(options: .any)
    _ = RevocationTrustEvaluator(options: [.crl, .requirePositiveResponse])
    _ = RevocationTrustEvaluator(validateHost: true, options: [.ocsp, .preferCRL, .networkAccessDisabled])
    _ = RevocationTrustEvaluator(performDefaultValidation: false)
    _ = RevocationTrustEvaluator(performDefaultValidation: true, validateHost: true, options: .any)
    let _: RevocationTrustEvaluator.Options = .requirePositiveResponse
    let _: [any TrustEvaluator] = [.revocationChecking]
    let _: [any TrustEvaluator] = [.revocationChecking()]
    let _: [any TrustEvaluator] = [.revocationChecking(options: [.crl])]
    let _: [any TrustEvaluator] = [
        .revocationChecking(performDefaultValidation: true, validateHost: true, options: .any)
    ]
}

// MARK: - The app's own evaluator, and errors

struct CustomEvaluator: ServerTrustEvaluating {
    func evaluate(_ trust: Trust, forHost host: String) throws {}
}

func dictionaries() {
    let _: [String: any ServerTrustEvaluating] = [:]
}

func errors(_ error: any Error) {
    if case AFError.serverTrustEvaluationFailed(let reason) = error { _ = reason }
    if let error = error as? AFError { _ = error }
    let _: AFError.ServerTrustFailureReason? = nil
}

// MARK: - Alamofire's members behind .af

func extensions(_ bundle: some CertificateBundle, _ trust: Trust, _ certificates: [Certificate]) throws {
    _ = bundle.af.certificates
    _ = bundle.af.publicKeys
    try trust.af.evaluate()
    try trust.af.performDefaultValidation(forHost: "api.example.com")
    try trust.af.performValidation(forHost: "api.example.com")
    try trust.af.setAnchorCertificates(certificates)
    _ = trust.af.publicKeys
    _ = trust.af.certificates
    _ = trust.af.certificateData
    _ = certificates.af.data
    _ = certificates.af.publicKeys
    _ = certificates[0].af.publicKey
}
