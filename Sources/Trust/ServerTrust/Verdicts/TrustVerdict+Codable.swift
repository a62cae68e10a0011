// SPDX-License-Identifier: Apache-2.0

import PKIX

// A verdict has one record format, for logs, tests and `servertrust verify --format json`. A record contains each
// certificate once, with its SHA-256 as the key. Otherwise, a record of 64 rejected paths would be 64 times as long.

extension TrustVerdict: Codable {
    /// The version of the record. Increase it with every change that breaks readers.
    static let schemaVersion = 1

    private enum Key: String, CodingKey {
        case schemaVersion, verdict, result, host, referenceName, profile, purpose, strict, time, unchangedFrom,
            unchangedUntil
        /// Written for readers. The certificates contain it.
        case firstNotAfter
        case path, reachesAnchor, failures, rejectedPaths, excused, reported, checked, notChecked, revocation,
            matchedPin
        /// Written only if true, so records without a delegate stay the same.
        case acceptedByDelegate
        /// Written only if not empty.
        case revocationGaps, staple, transparency, anchor
        case organization, extendedValidation, fetched, warnings, certificates
        case failuresOmitted, rejectedPathsOmitted, excusedOmitted, reportedOmitted, fetchedOmitted, warningsOmitted,
            timestampsOmitted
    }

    /// A certificate of the path, for readers of the record.
    private struct Member: Encodable {
        let index: Int
        let role: TrustFailure.Role
        let subject: String
        let issuer: String
        let serialNumber: String
        let notBefore: Time
        let notAfter: Time
        let sha256: String
        let pin: String
    }

    /// A certificate of the path, for decoding.
    private struct Reference: Decodable {
        let sha256: String
    }

    private struct Rejected: Codable {
        /// SHA-256 of each certificate, leaf first.
        let path: [String]
        let reachesAnchor: Bool
        let failures: [TrustFailure]
        var failuresOmitted: Int?

        init(_ path: RejectedPath, _ allowance: inout ReportAllowance, digest: (Certificate) -> String) {
            self.path = path.certificates.map(digest)
            self.reachesAnchor = path.reachesAnchor
            let failures = allowance.first(of: path.failures, part: 2, size: \.writtenSize)
            self.failures = Array(failures.kept)
            self.failuresOmitted = failures.omitted > 0 ? failures.omitted : nil
        }
    }

    /// Encodes a record of less than 64 KB, not counting the certificates. If a list is too long, its last elements are
    /// omitted and counted in `failuresOmitted` and similar members.
    public func encode(to encoder: any Encoder) throws {
        var digests: [Certificate: String] = [:]
        var certificates: [String: String] = [:]
        func digest(_ certificate: Certificate) -> String {
            if let known = digests[certificate] { return known }
            let digest = Hex.encode(certificate.sha256)
            digests[certificate] = digest
            certificates[digest] = Base64.encode(certificate.der)
            return digest
        }
        var allowance = ReportAllowance()
        let nameSize = ReportAllowance.nameSize(path.count)
        let members = path.enumerated().map { index, certificate in
            Member(
                index: index, role: role(at: index), subject: certificate.abridgedSubject(toBytes: nameSize),
                issuer: certificate.abridgedIssuer(toBytes: nameSize), serialNumber: certificate.abridgedSerialNumber,
                notBefore: certificate.notBefore, notAfter: certificate.notAfter, sha256: digest(certificate),
                pin: SPKIPin(certificate).description)
        }
        for member in members { allowance.take(member.subject.writtenSize + member.issuer.writtenSize + 560) }
        allowance.take(revocation.count * 320 + (staple == nil ? 0 : 1024) + (anchor?.writtenSize ?? 0))
        let transparency = transparency?.abridged(&allowance)
        let failures = allowance.first(of: failures, part: 3, size: \.writtenSize)
        let excused = allowance.first(of: excused, part: 3, size: \.writtenSize)
        let reported = allowance.first(of: reported, part: 3, size: \.writtenSize)
        let warnings = allowance.first(of: warnings.map { $0.abridged(toBytes: 1024) }, part: 4) { $0.writtenSize + 12 }
        let fetched = allowance.first(of: fetched, part: 4, size: \.writtenSize)
        var rejected: [Rejected] = []
        for path in rejectedPaths {
            let size = path.certificates.reduce(80) { $0 + (digests[$1] == nil ? 170 : 80) }
            guard rejected.isEmpty || size + (path.failures.first?.writtenSize ?? 0) <= allowance.bytes else { break }
            allowance.take(size)
            rejected.append(Rejected(path, &allowance, digest: digest))
        }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.schemaVersion, forKey: .schemaVersion)
        try container.encode(isTrusted ? "trusted" : "rejected", forKey: .verdict)
        try container.encode(result, forKey: .result)
        try container.encode(host?.description, forKey: .host)
        try container.encode(referenceName?.description, forKey: .referenceName)
        try container.encode(profile, forKey: .profile)
        try container.encode(purpose, forKey: .purpose)
        try container.encode(isStrict, forKey: .strict)
        try container.encode(evaluationDate, forKey: .time)
        try container.encode(unchangedFrom, forKey: .unchangedFrom)
        try container.encode(unchangedUntil, forKey: .unchangedUntil)
        try container.encode(firstNotAfter, forKey: .firstNotAfter)
        try container.encode(members, forKey: .path)
        try container.encode(reachesAnchor, forKey: .reachesAnchor)
        try container.encode(Array(failures.kept), forKey: .failures)
        try container.encode(rejected, forKey: .rejectedPaths)
        try container.encode(Array(excused.kept), forKey: .excused)
        if isAcceptedByDelegate { try container.encode(true, forKey: .acceptedByDelegate) }
        try container.encode(Array(reported.kept), forKey: .reported)
        try container.encode(checked.map(\.name), forKey: .checked)
        try container.encode(notChecked.map(\.name), forKey: .notChecked)
        try container.encode(revocation, forKey: .revocation)
        if !revocationGaps.isEmpty { try container.encode(revocationGaps, forKey: .revocationGaps) }
        try container.encodeIfPresent(staple, forKey: .staple)
        try container.encodeIfPresent(transparency?.kept, forKey: .transparency)
        try container.encodeIfPresent(anchor, forKey: .anchor)
        try container.encode(matchedPin, forKey: .matchedPin)
        try container.encode(organization?.abridged(toBytes: 1024), forKey: .organization)
        try container.encode(assertsExtendedValidation, forKey: .extendedValidation)
        try container.encode(Array(fetched.kept), forKey: .fetched)
        try container.encode(Array(warnings.kept), forKey: .warnings)
        try container.encode(certificates, forKey: .certificates)
        let counts: [(Key, Int)] = [
            (.failuresOmitted, failures.omitted), (.rejectedPathsOmitted, rejectedPaths.count - rejected.count),
            (.excusedOmitted, excused.omitted), (.reportedOmitted, reported.omitted),
            (.fetchedOmitted, fetched.omitted), (.warningsOmitted, warnings.omitted),
            (.timestampsOmitted, transparency?.omitted ?? 0),
        ]
        for (key, count) in counts where count > 0 { try container.encode(count, forKey: key) }
    }

    /// Decodes a record. The organization and extended validation are derived from the certificates.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let version = try container.decode(Int.self, forKey: .schemaVersion)
        guard version == Self.schemaVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .schemaVersion, in: container,
                debugDescription: "schemaVersion \(version), expected \(Self.schemaVersion)")
        }
        let certificates = try Self.certificates(in: container)
        func certificate(_ sha256: String) throws -> Certificate {
            guard let certificate = certificates[sha256] else {
                throw DecodingError.dataCorruptedError(
                    forKey: .certificates, in: container, debugDescription: "no certificate with sha256 \(sha256)")
            }
            return certificate
        }
        self.init(
            result: try container.decode(TrustResultType.self, forKey: .result),
            host: try Self.hostname(in: container, .host),
            referenceName: try Self.hostname(in: container, .referenceName),
            profile: try container.decode(ValidationPolicy.Profile.self, forKey: .profile),
            purpose: try container.decode(ValidationPolicy.Purpose.self, forKey: .purpose),
            isStrict: try container.decode(Bool.self, forKey: .strict),
            evaluationDate: try container.decode(Time.self, forKey: .time),
            unchangedFrom: try container.decodeIfPresent(Time.self, forKey: .unchangedFrom),
            unchangedUntil: try container.decodeIfPresent(Time.self, forKey: .unchangedUntil),
            path: try container.decode([Reference].self, forKey: .path).map { try certificate($0.sha256) },
            reachesAnchor: try container.decode(Bool.self, forKey: .reachesAnchor),
            failures: try container.decode([TrustFailure].self, forKey: .failures),
            rejectedPaths: try container.decode([Rejected].self, forKey: .rejectedPaths).map { path in
                RejectedPath(
                    certificates: try path.path.map(certificate), reachesAnchor: path.reachesAnchor,
                    failures: path.failures)
            },
            excused: try container.decode([TrustFailure].self, forKey: .excused),
            isAcceptedByDelegate: try container.decodeIfPresent(Bool.self, forKey: .acceptedByDelegate) ?? false,
            reported: try container.decode([TrustFailure].self, forKey: .reported),
            checked: try container.decode([String].self, forKey: .checked).map(TrustCheck.init),
            notChecked: try container.decode([String].self, forKey: .notChecked).map(TrustCheck.init),
            revocation: try container.decodeIfPresent([RevocationFinding].self, forKey: .revocation) ?? [],
            staple: try container.decodeIfPresent(StapleFinding.self, forKey: .staple),
            revocationGaps: try container.decodeIfPresent([RevocationGap].self, forKey: .revocationGaps) ?? [],
            transparency: try container.decodeIfPresent(TransparencyFinding.self, forKey: .transparency),
            anchor: try container.decodeIfPresent(AnchorFinding.self, forKey: .anchor),
            matchedPin: try container.decodeIfPresent(MatchedPin.self, forKey: .matchedPin),
            fetched: try container.decodeIfPresent([TrustFetchRecord].self, forKey: .fetched) ?? [],
            warnings: try container.decode([String].self, forKey: .warnings))
        // A record that contradicts itself is invalid.
        let verdict = try container.decode(String.self, forKey: .verdict)
        guard verdict == (isTrusted ? "trusted" : "rejected"), isTrusted == failures.isEmpty,
            !isTrusted || (!path.isEmpty && rejectedPaths.isEmpty),
            // The disabled evaluator accepts a revoked certificate, and its record says so.
            !isTrusted || !revocation.contains(where: \.isRevoked)
                || excused.contains(where: { $0.code == .certificateRevoked }),
            result != .unspecified || (reachesAnchor && excused.isEmpty),
            isTrusted || revocationGaps.isEmpty, !isAcceptedByDelegate || (result == .proceed && !excused.isEmpty)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .result, in: container,
                debugDescription:
                    "\(verdict), result \(result.rawValue), \(failures.count) failures, \(excused.count) excused, "
                    + "\(rejectedPaths.count) rejected paths, a path of \(path.count)")
        }
    }

    private static func certificates(in container: KeyedDecodingContainer<Key>) throws -> [String: Certificate] {
        var certificates: [String: Certificate] = [:]
        for (sha256, text) in try container.decode([String: String].self, forKey: .certificates) {
            guard let der = try? Base64.decode(text), let certificate = try? Certificate(der: der),
                Hex.encode(certificate.sha256) == sha256
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: .certificates, in: container,
                    debugDescription: "not base64 of the certificate with sha256 \(sha256)")
            }
            certificates[sha256] = certificate
        }
        return certificates
    }

    private static func hostname(in container: KeyedDecodingContainer<Key>, _ key: Key) throws -> Hostname? {
        guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
        do throws(HostnameError) { return try Hostname(text) } catch {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: error.description)
        }
    }
}
