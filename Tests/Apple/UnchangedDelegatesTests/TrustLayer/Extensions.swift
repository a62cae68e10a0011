// SPDX-License-Identifier: Apache-2.0

import Foundation
@preconcurrency import Security

enum AFError: Error, Sendable {
    enum ServerTrustFailureReason: Sendable {
        struct Output: Sendable {
            let host: String
            let trust: SecTrust
            let status: OSStatus
            let result: SecTrustResultType

            init(_ host: String, _ trust: SecTrust, _ status: OSStatus, _ result: SecTrustResultType) {
                self.host = host
                self.trust = trust
                self.status = status
                self.result = result
            }
        }

        case noRequiredEvaluator(host: String)
        case noCertificatesFound
        case noPublicKeysFound
        case policyApplicationFailed(trust: SecTrust, policy: SecPolicy, status: OSStatus)
        case settingAnchorCertificatesFailed(status: OSStatus, certificates: [SecCertificate])
        case revocationPolicyCreationFailed
        case trustEvaluationFailed(error: (any Error)?)
        case defaultEvaluationFailed(output: Output)
        case hostValidationFailed(output: Output)
        case revocationCheckFailed(output: Output, options: RevocationTrustEvaluator.Options)
        case certificatePinningFailed(
            host: String, trust: SecTrust, pinnedCertificates: [SecCertificate], serverCertificates: [SecCertificate])
        case publicKeyPinningFailed(host: String, trust: SecTrust, pinnedKeys: [SecKey], serverKeys: [SecKey])
        case customEvaluationFailed(error: any Error)
    }

    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
}

/// A value with the members that the library adds to its type.
struct AlamofireExtension<ExtendedType> {
    let type: ExtendedType
}

protocol AlamofireExtended {}

extension AlamofireExtended {
    static var af: AlamofireExtension<Self>.Type { AlamofireExtension<Self>.self }
    var af: AlamofireExtension<Self> { AlamofireExtension(type: self) }
}

extension Bundle: AlamofireExtended {}
extension AlamofireExtension where ExtendedType: Bundle {
    var certificates: [SecCertificate] {
        paths(forResourcesOfTypes: [".cer", ".CER", ".crt", ".CRT", ".der", ".DER"]).compactMap { path in
            guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) as CFData else { return nil }
            return SecCertificateCreateWithData(nil, data)
        }
    }

    var publicKeys: [SecKey] { certificates.af.publicKeys }

    func paths(forResourcesOfTypes types: [String]) -> [String] {
        Array(Set(types.flatMap { type.paths(forResourcesOfType: $0, inDirectory: nil) }))
    }
}

extension SecTrust: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == SecTrust {
    @available(iOS 12, macOS 10.14, *)
    func evaluate(afterApplying policy: SecPolicy) throws { try apply(policy: policy).af.evaluate() }

    @available(iOS, introduced: 10, deprecated: 12, renamed: "evaluate(afterApplying:)")
    @available(macOS, introduced: 10.12, deprecated: 10.14, renamed: "evaluate(afterApplying:)")
    func validate(
        policy: SecPolicy, errorProducer: (_ status: OSStatus, _ result: SecTrustResultType) -> any Error
    ) throws {
        try apply(policy: policy).af.validate(errorProducer: errorProducer)
    }

    func apply(policy: SecPolicy) throws -> SecTrust {
        let status = SecTrustSetPolicies(type, policy)
        guard status.af.isSuccess else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .policyApplicationFailed(trust: type, policy: policy, status: status))
        }
        return type
    }

    @available(iOS 12, macOS 10.14, *)
    func evaluate() throws {
        var error: CFError?
        guard SecTrustEvaluateWithError(type, &error) else {
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
        }
    }

    @available(iOS, introduced: 10, deprecated: 12, renamed: "evaluate()")
    @available(macOS, introduced: 10.12, deprecated: 10.14, renamed: "evaluate()")
    func validate(errorProducer: (_ status: OSStatus, _ result: SecTrustResultType) -> any Error) throws {
        var result = SecTrustResultType.invalid
        let status = SecTrustEvaluate(type, &result)
        guard status.af.isSuccess, result.af.isSuccess else { throw errorProducer(status, result) }
    }

    func setAnchorCertificates(_ certificates: [SecCertificate]) throws {
        for status in [
            SecTrustSetAnchorCertificates(type, certificates as CFArray), SecTrustSetAnchorCertificatesOnly(type, true),
        ] where !status.af.isSuccess {
            throw AFError.serverTrustEvaluationFailed(
                reason: .settingAnchorCertificatesFailed(status: status, certificates: certificates))
        }
    }

    var publicKeys: [SecKey] { certificates.af.publicKeys }

    var certificates: [SecCertificate] {
        if #available(iOS 15, macOS 12, *) {
            (SecTrustCopyCertificateChain(type) as? [SecCertificate]) ?? []
        } else {
            (0..<SecTrustGetCertificateCount(type)).compactMap { SecTrustGetCertificateAtIndex(type, $0) }
        }
    }

    var certificateData: [Data] { certificates.af.data }

    func performDefaultValidation(forHost host: String) throws {
        if #available(iOS 12, macOS 10.14, *) {
            try evaluate(afterApplying: SecPolicy.af.default)
        } else {
            try validate(policy: SecPolicy.af.default) { status, result in
                AFError.serverTrustEvaluationFailed(
                    reason: .defaultEvaluationFailed(output: .init(host, type, status, result)))
            }
        }
    }

    func performValidation(forHost host: String) throws {
        if #available(iOS 12, macOS 10.14, *) {
            try evaluate(afterApplying: SecPolicy.af.hostname(host))
        } else {
            try validate(policy: SecPolicy.af.hostname(host)) { status, result in
                AFError.serverTrustEvaluationFailed(
                    reason: .hostValidationFailed(output: .init(host, type, status, result)))
            }
        }
    }
}

extension SecPolicy: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == SecPolicy {
    static let `default` = SecPolicyCreateSSL(true, nil)

    static func hostname(_ hostname: String) -> SecPolicy { SecPolicyCreateSSL(true, hostname as CFString) }

    static func revocation(options: RevocationTrustEvaluator.Options) throws -> SecPolicy {
        guard let policy = SecPolicyCreateRevocation(options.rawValue) else {
            throw AFError.serverTrustEvaluationFailed(reason: .revocationPolicyCreationFailed)
        }
        return policy
    }
}

extension Array: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == [SecCertificate] {
    var data: [Data] { type.map { SecCertificateCopyData($0) as Data } }
    var publicKeys: [SecKey] { type.compactMap(\.af.publicKey) }
}

extension SecCertificate: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == SecCertificate {
    var publicKey: SecKey? {
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates(type, SecPolicyCreateBasicX509(), &trust)
        guard let trust, status == errSecSuccess else { return nil }
        if #available(iOS 14, macOS 11, *) { return SecTrustCopyKey(trust) }
        return SecTrustCopyPublicKey(trust)
    }
}

extension OSStatus: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == OSStatus {
    var isSuccess: Bool { type == errSecSuccess }
}

extension SecTrustResultType: AlamofireExtended {}
extension AlamofireExtension where ExtendedType == SecTrustResultType {
    var isSuccess: Bool { type == .unspecified || type == .proceed }
}
