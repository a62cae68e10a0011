// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict: Decodable {
    /// The version of the record. Increase it with every change that breaks readers.
    static let schemaVersion = 1

    enum Key: String, CodingKey {
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

    /// A certificate of the path, for decoding.
    private struct Reference: Decodable {
        let sha256: String
    }

    private struct Rejected: Decodable {
        let path: [String]
        let reachesAnchor: Bool
        let failures: [TrustFailure]
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
