// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// One way for a server to be right or wrong, and the verdict that a client has to reach about it.
///
/// ```swift
/// let server = try await LabServer.start(.expired)
/// ```
///
/// The certificates are made anew each time, around a date that the caller gives. They come from a CA that nobody trusts unless
/// told to, and their keys are test keys: never put them, or the anchors, anywhere near production.
public struct LabScenario: Sendable {
    /// What the server does before TLS is up.
    enum Conduct: Sendable {
        case honest
        /// Speaks plain HTTP on the port.
        case speaksNoTLS
        /// Closes in the middle of its first flight.
        case cutsHandshakeOff
    }

    /// Lower case with hyphens, unique: `wrong-host`.
    public let name: String

    /// One line, lower case, no full stop.
    public let summary: String

    /// What a client that asks for ``LabCertificates/host`` with the scenario's settings has to find.
    public let expected: LabFinding

    let conduct: Conduct
    /// Whether the certificates point to something that a ``LabRepository`` serves.
    let usesRepository: Bool
    private let build: @Sendable (LabWorkshop) throws -> LabCertificates

    init(
        _ name: String, _ summary: String, _ expected: LabFinding, conduct: Conduct = .honest,
        usesRepository: Bool = false, build: @escaping @Sendable (LabWorkshop) throws -> LabCertificates
    ) {
        self.name = name
        self.summary = summary
        self.expected = expected
        self.conduct = conduct
        self.usesRepository = usesRepository
        self.build = build
    }

    /// Makes keys and certificates, in memory; nothing is kept. Where they point to nobody answers; a ``LabServer`` sees to that.
    /// - Parameter now: the date that the scenario plays at and the verify date of its settings. ``LabServer`` takes the machine's
    ///   clock, so that other clients agree about what has expired; in memory ``TestAuthority/now`` does as well.
    /// - Throws: what swift-certificates and swift-crypto throw.
    public func certificates(at now: Time) throws -> LabCertificates {
        try build(LabWorkshop(roots: LabRoots(at: now)))
    }

    func certificates(_ workshop: LabWorkshop) throws -> LabCertificates { try build(workshop) }

    /// Every scenario, by subject.
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
        ]

    /// The scenario of that name.
    public static func named(_ name: String) -> LabScenario? { all.first { $0.name == name } }
}

extension LabScenario: CustomStringConvertible {
    public var description: String { name }
}

extension LabScenario: Hashable {
    /// Names are unique.
    public static func == (left: LabScenario, right: LabScenario) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
