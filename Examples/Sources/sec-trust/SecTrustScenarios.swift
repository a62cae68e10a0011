// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting

#if canImport(Darwin)
import Security
#else
import SecurityCompatibility
#endif

/// The scenarios of Apple's technote about server trust evaluation, with Apple's own API. Only the certificates come
/// from this package.
@main
struct SecTrustScenarios {
    static func main() throws {
        let root = try TestAuthority.root()
        try overrideName(root)
        try missingIntermediate(root)
        try specificCertificate()
        try customAuthority()
        try exceptions(root)
    }

    /// The connection goes to an address, and the certificate is for the name behind it.
    static func overrideName(_ root: TestAuthority) throws {
        print("server name failure")
        let api = try certificate(root.issue(.leaf("api.example.com")).certificate)
        let trust = try self.trust([api], SecPolicyCreateSSL(true, "192.0.2.10" as CFString), anchors: [root])
        show("by address", trust)

        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "api.example.com" as CFString)).check()
        show("as api.example.com", trust)

        SecTrustSetPolicies(trust, SecPolicyCreateSSL(true, "shop.example.com" as CFString)).check()
        show("as another name", trust)
    }

    /// The server only sends its leaf, and the app has the intermediate.
    static func missingIntermediate(_ root: TestAuthority) throws {
        print("missing intermediate")
        let issuing = try root.intermediate(.authority("Issuing CA 1"))
        let leaf = try certificate(issuing.issue(.leaf("api.example.com")).certificate)
        let policy = SecPolicyCreateSSL(true, "api.example.com" as CFString)
        show("as sent", try trust([leaf], policy, anchors: [root]))

        // Candidates for the path. Supplying them doesn't make them trusted.
        let complete = try trust([leaf, certificate(issuing.certificate)], policy, anchors: [root])
        show("with the intermediate", complete)
        let chain = SecTrustCopyCertificateChain(complete) as? [SecCertificate] ?? []
        print("    " + chain.compactMap { SecCertificateCopySubjectSummary($0) as String? }.joined(separator: " < "))
    }

    /// A self-signed server that the app recognizes by its certificate.
    static func specificCertificate() throws {
        print("specific certificate")
        let known = try TestAuthority.selfSigned(.leaf("printer.example")).certificate
        let other = try TestAuthority.selfSigned(.leaf("printer.example")).certificate
        for (name, sent) in [("the known one", known), ("another of the same name", other)] {
            let trust = try self.trust([certificate(sent)], SecPolicyCreateSSL(true, "printer.example" as CFString))
            SecTrustSetAnchorCertificates(trust, [try certificate(known)] as CFArray).check()
            show(name, trust)
        }
    }

    /// The organization's own CA, instead of the system's anchors and in addition to them.
    static func customAuthority() throws {
        print("custom certificate authority")
        let ours = try TestAuthority.root(.authority("Our Root"))
        let leaf = try certificate(ours.issue(.leaf("build.corp.example")).certificate)
        let trust = try self.trust([leaf], SecPolicyCreateSSL(true, "build.corp.example" as CFString))
        show("the system's anchors", trust)

        SecTrustSetAnchorCertificates(trust, [try certificate(ours.certificate)] as CFArray).check()
        show("ours alone", trust)

        // Setting anchors has turned off the system's.
        SecTrustSetAnchorCertificatesOnly(trust, false).check()
        show("ours and the system's", trust)
    }

    /// A user accepts an expired certificate, and an impostor presents another one.
    static func exceptions(_ root: TestAuthority) throws {
        print("exceptions")
        let yesterday = TestAuthority.now.advanced(by: .days(-1))
        let expired = CertificateTemplate.leaf("printer.example").with { $0.notAfter = yesterday }
        let printer = try certificate(root.issue(expired).certificate)
        let impostor = try certificate(TestAuthority.selfSigned(expired).certificate)
        let policy = SecPolicyCreateSSL(true, "printer.example" as CFString)

        let first = try trust([printer], policy, anchors: [root])
        show("first encounter", first)
        // A user has to agree to these. The app stores them in a file until the next connection.
        guard let agreed = SecTrustCopyExceptions(first) else { return print("  nothing can be excepted") }

        let second = try trust([printer], policy, anchors: [root])
        print("  exceptions fit: \(SecTrustSetExceptions(second, agreed))")
        show("second encounter", second)

        let third = try trust([impostor], policy, anchors: [root])
        print("  exceptions fit: \(SecTrustSetExceptions(third, agreed))")
        show("impostor", third)
    }

    // MARK: - Shared by the scenarios

    static func certificate(_ certificate: Certificate) throws -> SecCertificate {
        guard let result = SecCertificateCreateWithData(nil, Data(certificate.der) as CFData) else {
            throw Unreadable()
        }
        return result
    }

    /// Returns a trust object at the date of the certificates.
    static func trust(
        _ chain: [SecCertificate], _ policy: SecPolicy, anchors: [TestAuthority] = []
    ) throws -> SecTrust {
        var trust: SecTrust?
        SecTrustCreateWithCertificates(chain as CFArray, policy, &trust).check()
        guard let trust else { throw Unreadable() }
        let date = Date(timeIntervalSince1970: Double(TestAuthority.now.secondsSinceEpoch))
        SecTrustSetVerifyDate(trust, date as CFDate).check()
        if !anchors.isEmpty {
            let roots = try anchors.map { try certificate($0.certificate) }
            SecTrustSetAnchorCertificates(trust, roots as CFArray).check()
        }
        return trust
    }

    static func show(_ name: String, _ trust: SecTrust) {
        var error: CFError?
        let isTrusted = SecTrustEvaluateWithError(trust, &error)
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result).check()
        let reason = error.map { ", error \(CFErrorGetCode($0))" } ?? ""
        print("  \(name): \(isTrusted ? "trusted" : "refused"), result \(result.rawValue)\(reason)")
    }

    struct Unreadable: Error {}
}

extension OSStatus {
    /// Stops the program if a function of the framework has failed.
    func check() {
        precondition(self == errSecSuccess, "status \(self)")
    }
}
