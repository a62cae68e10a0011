// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX
@testable import ServerTrust

@Suite("Apple's error numbers")
struct AppleErrorNumbersTests {
    // MARK: - Numbers in the headers

    /// `NSURLError.h`, by the names of `URLError.Code`.
    static let urlErrorNames: [Int: String] = [
        -1200: "secureConnectionFailed", -1201: "serverCertificateHasBadDate", -1202: "serverCertificateUntrusted",
        -1203: "serverCertificateHasUnknownRoot", -1204: "serverCertificateNotYetValid",
    ]

    /// `SecBase.h`, the part that came from `SecureTransport.h`.
    static let secureTransportNames: [Int32: String] = [
        -9802: "errSSLFatalAlert", -9807: "errSSLXCertChainInvalid", -9808: "errSSLBadCert", -9810: "errSSLInternal",
        -9812: "errSSLUnknownRootCert", -9813: "errSSLNoRootCert", -9814: "errSSLCertExpired",
        -9815: "errSSLCertNotYetValid", -9843: "errSSLHostNameMismatch", -9848: "errSSLBadConfiguration",
    ]

    /// `SecBase.h`. One number comes from Secure Transport: Apple's pin check returns it.
    static let securityNames: [Int32: String] = [
        -9886: "errSSLATSCertificateTrustViolation", -25245: "errSecTrustNotAvailable",
        -25318: "errSecCreateChainFailed", -26275: "errSecDecode", -67602: "errSecHostNameMismatch",
        -67603: "errSecUnknownCriticalExtensionFlag", -67604: "errSecNoBasicConstraints",
        -67605: "errSecNoBasicConstraintsCA", -67606: "errSecInvalidAuthorityKeyID",
        -67607: "errSecInvalidSubjectKeyID", -67608: "errSecInvalidKeyUsageForPolicy",
        -67609: "errSecInvalidExtendedKeyUsage", -67611: "errSecPathLengthConstraintExceeded",
        -67612: "errSecInvalidRoot", -67635: "errSecIncompleteCertRevocationCheck",
        -67654: "errSecTrustSettingDeny", -67655: "errSecInvalidSubjectName", -67671: "errSecInternalError",
        -67689: "errSecInvalidName", -67735: "errSecUnsupportedKeySize", -67815: "errSecInvalidDigestAlgorithm",
        -67818: "errSecCertificateExpired", -67819: "errSecCertificateNotValidYet",
        -67820: "errSecCertificateRevoked", -67835: "errSecInvalidPolicyIdentifiers", -67843: "errSecNotTrusted",
        -67901: "errSecCertificateValidityPeriodTooLong", -67902: "errSecCertificateIsCA",
    ]

    // MARK: Rows

    static let rows: [(code: String, urlError: Int, secureTransport: Int32, security: Int32)] = [
        ("signatureInvalid", -1202, -9807, -25318),
        ("signatureAlgorithmMismatch", -1202, -9807, -25318),
        ("signatureUsesMD5", -1202, -9807, -67815),
        ("signatureUsesSHA1", -1202, -9807, -67815),
        ("signatureUsesDSA", -1202, -9807, -25318),
        ("signatureAlgorithmUnsupported", -1202, -9807, -25318),
        ("signatureParametersUnsupported", -1202, -9807, -25318),
        ("keyUsesExplicitCurve", -1202, -9807, -67735),
        ("keyUsesUnsupportedCurve", -1202, -9807, -67735),
        ("keyUsesDSA", -1202, -9807, -67735),
        ("rsaKeyTooSmall", -1202, -9807, -67735),
        ("rsaKeyTooLarge", -1202, -9807, -67735),
        ("keyMalformed", -1202, -9807, -67735),
        ("keyAlgorithmUnsupported", -1202, -9807, -67735),
        ("criticalExtensionUnhandled", -1202, -9807, -67603),
        ("certificateVersionNotAllowed", -1202, -9807, -67604),
        ("issuerNameEmpty", -1202, -9807, -67689),
        ("notCertificateAuthority", -1202, -9807, -67605),
        ("basicConstraintsMissing", -1202, -9807, -67604),
        ("keyUsageLacksCertSign", -1202, -9807, -67608),
        ("pathLengthExceeded", -1202, -9807, -67611),
        ("extendedKeyUsageNotAllowed", -1202, -9807, -67609),
        ("keyUsageNotForTLS", -1202, -9807, -67608),
        ("nameExcluded", -1202, -9807, -67689),
        ("nameNotPermitted", -1202, -9807, -67689),
        ("nameConstraintUndecidable", -1202, -9807, -67689),
        ("policyMappingOfAnyPolicy", -1202, -9807, -67835),
        ("policyNotAcceptable", -1202, -9807, -67835),
        ("tlsFeatureMissing", -1202, -9807, -67635),
        ("certificateExpired", -1201, -9814, -67818),
        ("certificateNotYetValid", -1204, -9815, -67819),
        ("certificateRevoked", -1202, -9807, -67820),
        ("stapleMissing", -1202, -9807, -67635),
        ("revocationUnavailable", -1202, -9807, -67635),
        ("handshakeSignatureInvalid", -1202, -9807, -67843),
        ("handshakeUnproven", -1202, -9807, -67843),
        ("tlsVersionOutdated", -1202, -9807, -67843),
        ("subjectAlternativeNameMissing", -1202, -9843, -67602),
        ("hostMismatch", -1202, -9843, -67602),
        ("strictSerialNumber", -1202, -9807, -67843),
        ("strictAuthorityKeyIdentifier", -1202, -9807, -67606),
        ("strictSubjectKeyIdentifier", -1202, -9807, -67607),
        ("strictExtensionCriticality", -1202, -9807, -67843),
        ("strictExtensionNotAllowed", -1202, -9807, -67843),
        ("strictKeyUsage", -1202, -9807, -67608),
        ("strictExtendedKeyUsage", -1202, -9807, -67609),
        ("strictSubjectName", -1202, -9807, -67655),
        ("strictAlternativeName", -1202, -9807, -67689),
        ("strictNameConstraints", -1202, -9807, -67689),
        ("strictLeafIsAuthority", -1202, -9807, -67902),
        ("strictKeySize", -1202, -9807, -67735),
        ("strictEncoding", -1202, -9807, -67843),
        ("strictValidityPeriod", -1202, -9807, -67901),
        ("strictTimeEncoding", -1202, -9807, -67843),
        ("anchorDistrustedAfter", -1202, -9807, -67843),
        ("anchorNameNotPermitted", -1202, -9807, -67843),
        ("anchorPurposeNotPermitted", -1202, -9807, -67843),
        ("anchorNotInProgram", -1202, -9807, -67843),
        ("transparencyNotMet", -1202, -9807, -67843),
        ("transparencyLogListMissing", -1202, -9807, -67843),
        ("maximumIntermediatesExceeded", -1202, -9807, -67611),
        ("selfSignedLeaf", -1202, -9812, -67843),
        ("untrustedRoot", -1202, -9812, -67843),
        ("issuerUnreadable", -1202, -9807, -25318),
        ("unknownIssuer", -1203, -9813, -25318),
        ("pinNotMatched", -1202, -9807, -9886),
        ("pinsExpired", -1202, -9807, -9886),
        ("certificateNotPinned", -1202, -9807, -9886),
        ("authorityNotMatched", -1202, -9807, -67612),
        ("extendedValidationMissing", -1202, -9807, -67835),
        ("attributeNotMatched", -1202, -9807, -67655),
        ("validityTooLong", -1202, -9807, -67901),
        ("evaluatorRefused", -1202, -9807, -67843),
        ("hostNotListed", -1202, -9807, -67654),
        ("hostDenied", -1202, -9807, -67654),
        ("certificateDenied", -1202, -9807, -67654),
        ("presentedChainEmpty", -1200, -9807, -67843),
        ("certificateMalformed", -1200, -9808, -26275),
        ("systemAnchorsUnavailable", -1200, -9848, -25245),
        ("systemRefused", -1202, -9807, -67843),
        ("systemEvaluationUnavailable", -1200, -9810, -67671),
        ("depthBudgetExceeded", -1200, -9810, -67671),
        ("signatureBudgetExceeded", -1200, -9810, -67671),
        ("comparisonBudgetExceeded", -1200, -9810, -67671),
        ("stepBudgetExceeded", -1200, -9810, -67671),
        ("workBudgetExceeded", -1200, -9810, -67671),
        ("byteBudgetExceeded", -1200, -9810, -67671),
    ]

    /// A code that is only known by its name, as another module would create it.
    private static func code(_ name: String, _ severity: TrustFailure.Code.Severity = .recoverable) -> TrustFailure.Code
    {
        TrustFailure.Code(name, rank: 1, severity: severity, message: "")
    }

    @Test("A code has the numbers that match its meaning", arguments: rows)
    func numbers(code: String, urlError: Int, secureTransport: Int32, security: Int32) {
        let numbers = Self.code(code).appleErrorNumbers
        #expect(numbers.urlErrorCode == urlError)
        #expect(numbers.secureTransportStatus == secureTransport)
        #expect(numbers.securityStatus == security)
    }

    @Test("Every code in the package has a row in the table")
    func complete() {
        let names = Self.rows.map(\.code)
        #expect(Set(names).count == names.count)
        #expect(Set(TrustFailure.Code.all.map(\.name)).subtracting(names) == [])
    }

    @Test(
        "Every number is in the headers, with its name there",
        arguments: TrustFailure.Code.all.map(\.name) + rows.map(\.code))
    func names(code: String) {
        let numbers = Self.code(code).appleErrorNumbers
        for numbers in [numbers, numbers.asReported] {
            #expect(Self.urlErrorNames[numbers.urlErrorCode] == numbers.urlErrorName)
            #expect(Self.secureTransportNames[numbers.secureTransportStatus] == numbers.secureTransportName)
            #expect(Self.securityNames[numbers.securityStatus] == numbers.securityName)
        }
    }

    @Test("A name belongs to one number")
    func oneName() {
        #expect(Set(Self.urlErrorNames.values).count == Self.urlErrorNames.count)
        #expect(Set(Self.secureTransportNames.values).count == Self.secureTransportNames.count)
        #expect(Set(Self.securityNames.values).count == Self.securityNames.count)
    }

    @Test(
        "A code without a row has the number for an untrusted certificate, or for no decision if it is undecided",
        arguments: [
            (.recoverable, -1202, -9807, -67843), (.fatal, -1202, -9807, -67843), (.undecided, -1200, -9810, -67671),
        ]
            as [(TrustFailure.Code.Severity, Int, Int32, Int32)])
    func unknown(severity: TrustFailure.Code.Severity, urlError: Int, secureTransport: Int32, security: Int32) {
        let numbers = Self.code("ofAnotherPackage", severity).appleErrorNumbers
        #expect(numbers.urlErrorCode == urlError)
        #expect(numbers.secureTransportStatus == secureTransport)
        #expect(numbers.securityStatus == security)
    }

    @Test("No refusal looks like a canceled request")
    func neverCancelled() {
        for code in TrustFailure.Code.all {
            #expect(code.appleErrorNumbers.urlErrorCode != -999)
            #expect(
                (code.appleErrorNumbers.urlErrorCode == -1200)
                    == (code.severity == .undecided || code == .presentedChainEmpty))
        }
    }

    // MARK: As reported

    static let reportedRows: [(code: String, urlError: Int, secureTransport: Int32, security: Int32)] = [
        ("certificateExpired", -1202, -9814, -67818),
        ("certificateNotYetValid", -1202, -9814, -67818),
        ("hostMismatch", -1202, -9843, -67602),
        ("selfSignedLeaf", -1202, -9813, -67843),
        ("untrustedRoot", -1202, -9813, -67843),
        ("unknownIssuer", -1202, -9813, -25318),
        ("signatureInvalid", -1202, -9813, -25318),
        ("rsaKeyTooSmall", -1202, -9807, -67735),
        ("pinNotMatched", -1200, -9802, -9886),
        ("certificateNotPinned", -1200, -9802, -9886),
        ("authorityNotMatched", -1202, -9807, -67612),
        ("evaluatorRefused", -1202, -9807, -67843),
        ("presentedChainEmpty", -1200, -9807, -67843),
        ("stepBudgetExceeded", -1200, -9810, -67671),
    ]

    @Test("Reported failures of a certificate have the number -1202, except missed pins", arguments: reportedRows)
    func reported(code: String, urlError: Int, secureTransport: Int32, security: Int32) {
        let numbers = Self.code(code).appleErrorNumbers.asReported
        #expect(numbers.urlErrorCode == urlError)
        #expect(numbers.secureTransportStatus == secureTransport)
        #expect(numbers.securityStatus == security)
        #expect(numbers.asReported == numbers)
    }

    // MARK: Several failures

    @Test("The headline's numbers are those of the first failure")
    func headline() {
        let failures = [
            TrustFailure(.certificateExpired, certificate: 0), TrustFailure(.untrustedRoot, certificate: 1),
        ]
        #expect(AppleErrorNumbers.headline(of: failures)?.urlErrorCode == -1201)
        #expect(AppleErrorNumbers.headline(of: failures.reversed())?.urlErrorCode == -1202)
        #expect(AppleErrorNumbers.headline(of: []) == nil)
    }

    /// Each code comes before all codes that follow it.
    static let applesOrder: [String] = [
        "certificateRevoked", "rsaKeyTooSmall", "signatureUsesSHA1", "hostDenied", "basicConstraintsMissing",
        "pinNotMatched", "untrustedRoot", "extendedKeyUsageNotAllowed", "hostMismatch", "certificateExpired",
        "stepBudgetExceeded",
    ]

    @Test("Apple names a failure by its kind, in any order of the failures", arguments: applesOrder.indices)
    func applesChoice(index: Int) {
        let failures = Self.applesOrder[index...].map { TrustFailure(Self.code($0), certificate: 0) }
        #expect(AppleErrorNumbers.namedByApple(among: failures) == failures.first)
        #expect(AppleErrorNumbers.namedByApple(among: failures.reversed()) == failures.first)
    }

    @Test("Among failures of one kind, Apple names the certificate nearest to the leaf first, and the whole path last")
    func nearest() {
        let failures = [nil, 2, 0, 1].map { TrustFailure(.certificateExpired, certificate: $0) }
        #expect(AppleErrorNumbers.namedByApple(among: failures)?.certificate == 0)
        let two = [
            TrustFailure(.certificateNotYetValid, certificate: 0), TrustFailure(.certificateExpired, certificate: 0),
        ]
        #expect(AppleErrorNumbers.namedByApple(among: two)?.code == .certificateNotYetValid)
        #expect(AppleErrorNumbers.namedByApple(among: []) == nil)
    }
}
