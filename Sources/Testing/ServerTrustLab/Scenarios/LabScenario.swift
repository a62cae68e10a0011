// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrust
import ServerTrustTesting

/// One way in which a server is valid or misbehaves, with the outcome that a client has to report.
///
/// ```swift
/// let server = try await LabServer.start(.expired)
/// ```
///
/// Every use creates new certificates, valid around a date that you pass. Their CA is in no trust store, and their keys
/// are test keys. Never install the keys or the anchors in production.
public struct LabScenario: Sendable {
    /// The server's behavior before the handshake completes.
    enum HandshakeBehavior: Sendable, Hashable {
        case normal
        /// Speaks plain HTTP on the port.
        case plainHTTP
        /// Closes the connection in the middle of the server's first flight.
        case closesDuringHandshake
        /// Sends a flight, regardless of the client's ClientHello.
        case sends(HandshakeFlight)
    }

    /// The unique name, in lowercase with hyphens: `wrong-host`.
    public let name: String

    /// A description of the server: one line, lowercase, without a period.
    public let summary: String

    /// The outcome that a client has to report if it verifies ``LabCertificates/host`` with the scenario's settings.
    /// See also ``isForProbes``.
    public let expected: LabOutcome

    let handshakeBehavior: HandshakeBehavior

    /// Whether ``expected`` is the outcome for a probe that observes the handshake, as `servertrust check` does. TLS
    /// libraries end these handshakes before a verdict, or after a verdict on only the certificates.
    /// ``ClientConformance`` skips these scenarios.
    public let isForProbes: Bool

    /// Whether ``expected`` depends on the handshake. In other scenarios, evaluating the certificates in memory has the
    /// same outcome.
    var dependsOnHandshake: Bool { handshakeBehavior != .normal }

    /// Whether the certificates point to resources of a ``LabRepository``.
    let usesRepository: Bool
    private let build: @Sendable (ScenarioFixture) throws -> LabCertificates

    init(
        _ name: String, _ summary: String, _ expected: LabOutcome, handshakeBehavior: HandshakeBehavior = .normal,
        usesRepository: Bool = false, isForProbes: Bool = false,
        build: @escaping @Sendable (ScenarioFixture) throws -> LabCertificates
    ) {
        self.name = name
        self.summary = summary
        self.expected = expected
        self.handshakeBehavior = handshakeBehavior
        self.usesRepository = usesRepository
        self.isForProbes = isForProbes
        self.build = build
    }

    /// Creates keys and certificates in memory without storing them. No server answers at the URLs that the
    /// certificates point to. A ``LabServer`` has a repository for that.
    /// - Parameter now: the date of the scenario and the verify date of its settings. ``LabServer`` uses the machine's
    ///   clock, so that other clients agree about expired certificates. In memory, you can also use
    ///   `TestAuthority.now`.
    /// - Throws: errors from swift-certificates and swift-crypto.
    public func certificates(at now: Time) throws -> LabCertificates {
        try build(ScenarioFixture(authorities: SharedAuthorities(at: now)))
    }

    func certificates(_ fixture: ScenarioFixture) throws -> LabCertificates { try build(fixture) }

    /// All scenarios. New scenarios are appended, so a scenario keeps its index and its port in `servertrust lab`.
    public static let all: [LabScenario] =
        [
            good, goodRSA, goodEd25519, wrongOrder, strangers, crossSigned,
            expired, notYetValid, wrongExtendedKeyUsage, sha1, rsa1024,
            wrongHost, ipAddressOnly, noAlternativeName, partialWildcard, topLevelWildcard, publicSuffixWildcard,
            nameConstraintViolated,
            selfSigned, untrustedRoot, missingIntermediate, servedIntermediate, version1Issuer, pathLengthExceeded,
            hugeChain, hostilePathSet,
            pinnedKeyRotatedToBackup, pinnedKeyReplaced, authorityChanged, intercepted, redirectToAnotherAuthority,
            revokedByCRL, revokedByOCSP, mustStaple,
            noTLS, handshakeCutOff,
            signatureAlgorithmMismatch, md5, dsaSignature, ed448Signature, signatureParameters,
            explicitCurve, p192, dsaKey, hugeRSA, pointOffCurve, ed448Key,
            unknownCriticalExtension, noIssuerName, wrongKeyUsage, notAnAuthority, noBasicConstraints,
            authorityMayNotSign, nameExcluded, nameNotComparable, mapsAnyPolicy, noPolicy, tooManyIntermediates,
            strictSerialNumber, strictAuthorityKeyIdentifier, strictSubjectKeyIdentifier, strictCriticality,
            strictExtensionNotAllowed, strictKeyUsage, strictExtendedKeyUsage, strictSubjectName,
            strictAlternativeName, strictNameConstraints, strictLeafIsAuthority, strictKeySize, strictTimeEncoding,
            strictEncoding,
            hostDenied, hostNotListed, keyDenied, pinsExpired, certificateReplaced, noExtendedValidation,
            wrongOrganization, refusedByEvaluator, refusedBySystem, systemUnavailable,
            revocationUnknown,
            costlySignatures, costlyConstraints, endlessMaze, workBudget, byteBudget,
            wrongHandshakeSignature, unsignedHandshake, oldTLS,
            issuedBeforeDistrust, issuedAfterDistrust, backdated, rootForOtherNames, rootForOtherPurposes,
            rootNotInProgram, aroundDistrustedRoot,
            transparent, transparencyNone, transparencyTooFew, transparencyOneOperator, transparencyUnknownLog,
            transparencyRetiredLog, transparencyNoneInUse, transparencyBadSignature, transparencyFuture,
            transparencyMimic, transparencyTiledOnly, transparencyNoLogList, transparencyOldLogList,
            transparencyReportOnly, transparencyPrivateAuthority, transparencyByRule, transparencyNoneByRule,
            certificateDenied, tlsFeatureMissing,
        ]

    /// Returns the scenario with this name, or nil if no scenario has the name. `goodRSA`, `sha1`, `hugeChain` and
    /// others have no public property.
    public static func named(_ name: String) -> LabScenario? { all.first { $0.name == name } }
}

extension LabScenario: CustomStringConvertible {
    /// The scenario's ``name``.
    public var description: String { name }
}

extension LabScenario: Hashable {
    /// Compares the names, which are unique.
    public static func == (left: LabScenario, right: LabScenario) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

#endif
