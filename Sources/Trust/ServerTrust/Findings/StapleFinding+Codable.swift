// SPDX-License-Identifier: Apache-2.0

import PKIX

extension StapleFinding: Codable {
    private enum Key: String, CodingKey {
        case claim, verified, thisUpdate, nextUpdate, namesOtherIssuer, obstacles, words
    }

    /// Encodes the claim, whether it is verified, its dates and the obstacles. A text (`words`) repeats the obstacles for
    /// people. It changes from version to version and isn't decoded.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(claim, forKey: .claim)
        try container.encode(isVerified, forKey: .verified)
        try container.encodeIfPresent(thisUpdate, forKey: .thisUpdate)
        try container.encodeIfPresent(nextUpdate, forKey: .nextUpdate)
        if namesOtherIssuer { try container.encode(true, forKey: .namesOtherIssuer) }
        if !obstacles.isEmpty { try container.encode(obstacles.map(\.name), forKey: .obstacles) }
        if !reasons.isEmpty { try container.encode(reasons, forKey: .words) }
    }

    /// Decodes a finding.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            claim: try container.decode(Claim.self, forKey: .claim),
            thisUpdate: try container.decodeIfPresent(Time.self, forKey: .thisUpdate),
            nextUpdate: try container.decodeIfPresent(Time.self, forKey: .nextUpdate),
            namesOtherIssuer: try container.decodeIfPresent(Bool.self, forKey: .namesOtherIssuer) ?? false,
            isVerified: try container.decode(Bool.self, forKey: .verified),
            obstacles: (try container.decodeIfPresent([String].self, forKey: .obstacles) ?? [])
                .map(RevocationObstacle.init(name:)))
    }
}

extension StapleFinding {
    /// The reasons why the claim isn't verified, in words. Empty if it is, and without reasons.
    private var reasons: String {
        guard !isVerified else { return "" }
        let other = namesOtherIssuer ? ["it names a certificate of another issuer with the same serial number"] : []
        let words = RevocationTerm.words(obstacles.prefix(4))
        return (other + (words.isEmpty ? [] : [words])).joined(separator: "; ")
    }

    /// Returns the finding in words: `good, 12 min old, until 2026-12-01T00:00:00Z`, or `claims good, not verified, …`
    /// with the reasons.
    /// - Parameter time: the verify date.
    package func words(at time: Time) -> String {
        var parts: [String]
        switch claim {
        case .good, .revoked, .unknown:
            parts = isVerified ? [claim.rawValue] : ["claims \(claim.rawValue)", "not verified"]
        case .otherCertificate: parts = ["says nothing about this certificate"]
        case .malformed: parts = ["can't be read"]
        case .malformedRequest, .internalError, .tryLater, .sigRequired, .unauthorized:
            parts = ["claims an error and no status", "not verified"]
        }
        if let thisUpdate { parts.append(Self.age(thisUpdate, at: time)) }
        if let nextUpdate { parts.append("until \(nextUpdate)") }
        let words = parts.joined(separator: ", ")
        return reasons.isEmpty ? words : "\(words): \(reasons)"
    }

    private static func age(_ date: Time, at time: Time) -> String {
        let (difference, isOverflow) = time.secondsSinceEpoch.subtractingReportingOverflow(date.secondsSinceEpoch)
        guard !isOverflow else { return "dated \(date)" }
        let span =
            switch difference.magnitude {
            case ..<120: "\(difference.magnitude) s"
            case ..<7200: "\(difference.magnitude / 60) min"
            case ..<172_800: "\(difference.magnitude / 3600) h"
            default: "\(difference.magnitude / 86_400) days"
            }
        return difference < 0 ? "dated \(span) after the verify date" : "\(span) old"
    }
}
