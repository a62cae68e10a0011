// SPDX-License-Identifier: Apache-2.0

// The trust layer of a networking library for Apple platforms, with Alamofire's declarations and defaults. It has no
// Linux-specific code.

import Foundation
@preconcurrency import Security

/// Maps hosts to evaluators.
class ServerTrustManager: @unchecked Sendable {
    let allHostsMustBeEvaluated: Bool
    let evaluators: [String: any ServerTrustEvaluating]

    init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
    }

    func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        if let evaluator = evaluators[host] { return evaluator }
        guard !allHostsMustBeEvaluated else {
            throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
        }
        return nil
    }
}

protocol ServerTrustEvaluating: Sendable {
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

extension [any ServerTrustEvaluating] {
    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        for evaluator in self { try evaluator.evaluate(trust, forHost: host) }
    }
}

final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool

    init(validateHost: Bool = true) { self.validateHost = validateHost }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        if validateHost { try trust.af.performValidation(forHost: host) }
        try trust.af.performDefaultValidation(forHost: host)
    }
}

final class RevocationTrustEvaluator: ServerTrustEvaluating {
    struct Options: OptionSet, Sendable {
        static let crl = Options(rawValue: kSecRevocationCRLMethod)
        static let networkAccessDisabled = Options(rawValue: kSecRevocationNetworkAccessDisabled)
        static let ocsp = Options(rawValue: kSecRevocationOCSPMethod)
        static let preferCRL = Options(rawValue: kSecRevocationPreferCRL)
        static let requirePositiveResponse = Options(rawValue: kSecRevocationRequirePositiveResponse)
        static let any = Options(rawValue: kSecRevocationUseAnyAvailableMethod)
        let rawValue: CFOptionFlags
    }

    private let performDefaultValidation: Bool
    private let validateHost: Bool
    private let options: Options

    init(performDefaultValidation: Bool = true, validateHost: Bool = true, options: Options = .any) {
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.options = options
    }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        if performDefaultValidation { try trust.af.performDefaultValidation(forHost: host) }
        if validateHost { try trust.af.performValidation(forHost: host) }
        let policy = try SecPolicy.af.revocation(options: options)
        if #available(iOS 12, macOS 10.14, *) {
            try trust.af.evaluate(afterApplying: policy)
        } else {
            try trust.af.validate(policy: policy) { status, result in
                AFError.serverTrustEvaluationFailed(
                    reason: .revocationCheckFailed(output: .init(host, trust, status, result), options: options))
            }
        }
    }
}

final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    private let certificates: [SecCertificate]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    init(
        certificates: [SecCertificate] = Bundle.main.af.certificates, acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        if acceptSelfSignedCertificates { try trust.af.setAnchorCertificates(certificates) }
        if performDefaultValidation { try trust.af.performDefaultValidation(forHost: host) }
        if validateHost { try trust.af.performValidation(forHost: host) }
        guard Set(trust.af.certificateData).isDisjoint(with: certificates.af.data) else { return }
        throw AFError.serverTrustEvaluationFailed(
            reason: .certificatePinningFailed(
                host: host, trust: trust, pinnedCertificates: certificates, serverCertificates: trust.af.certificates))
    }
}

final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    private let keys: [SecKey]
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    init(
        keys: [SecKey] = Bundle.main.af.publicKeys, performDefaultValidation: Bool = true, validateHost: Bool = true
    ) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    func evaluate(_ trust: SecTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        if performDefaultValidation { try trust.af.performDefaultValidation(forHost: host) }
        if validateHost { try trust.af.performValidation(forHost: host) }
        guard !trust.af.publicKeys.contains(where: keys.contains) else { return }
        throw AFError.serverTrustEvaluationFailed(
            reason: .publicKeyPinningFailed(
                host: host, trust: trust, pinnedKeys: keys, serverKeys: trust.af.publicKeys))
    }
}

final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    func evaluate(_ trust: SecTrust, forHost host: String) throws { try evaluators.evaluate(trust, forHost: host) }
}

final class DisabledTrustEvaluator: ServerTrustEvaluating {
    func evaluate(_ trust: SecTrust, forHost host: String) throws {}
}

// MARK: - By name

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
    static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }
    static func revocationChecking(
        performDefaultValidation: Bool = true, validateHost: Bool = true, options: RevocationTrustEvaluator.Options
    ) -> RevocationTrustEvaluator {
        RevocationTrustEvaluator(
            performDefaultValidation: performDefaultValidation, validateHost: validateHost, options: options)
    }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    static var pinnedCertificates: PinnedCertificatesTrustEvaluator { PinnedCertificatesTrustEvaluator() }
    static func pinnedCertificates(
        certificates: [SecCertificate], acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: certificates, acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }
    static func publicKeys(
        keys: [SecKey], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: keys, performDefaultValidation: performDefaultValidation, validateHost: validateHost)
    }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
    static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
        CompositeTrustEvaluator(evaluators: evaluators)
    }
}
