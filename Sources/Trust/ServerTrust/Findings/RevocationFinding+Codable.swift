// SPDX-License-Identifier: Apache-2.0

import PKIX

extension RevocationFinding: Codable {
    private enum Key: String, CodingKey {
        case certificate, status, revokedAt, reason, exemption, obstacles, source, validFrom, validUntil, notes,
            words
    }

    private enum Word: String, Codable { case good, revoked, exempt, unobtainable, unchecked }

    /// Encodes the index, the status with its details, the source, dates and notes. A text (`words`) repeats them for
    /// people. It changes from version to version and isn't decoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(certificate, forKey: .certificate)
        switch status {
        case .good: try container.encode(Word.good, forKey: .status)
        case .revoked(let time, let reason):
            try container.encode(Word.revoked, forKey: .status)
            try container.encodeIfPresent(time, forKey: .revokedAt)
            try container.encode(reason?.name, forKey: .reason)
        case .exempt(let exemption):
            try container.encode(Word.exempt, forKey: .status)
            try container.encode(exemption, forKey: .exemption)
        case .unobtainable(let obstacles):
            try container.encode(Word.unobtainable, forKey: .status)
            try container.encode(obstacles.map(\.name), forKey: .obstacles)
        case .unchecked: try container.encode(Word.unchecked, forKey: .status)
        }
        try container.encode(source, forKey: .source)
        try container.encode(validFrom, forKey: .validFrom)
        try container.encode(validUntil, forKey: .validUntil)
        if !notes.isEmpty { try container.encode(notes.map(\.name), forKey: .notes) }
        try container.encodeIfPresent(words, forKey: .words)
    }

    /// Decodes a finding.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let status: Status
        switch try container.decode(Word.self, forKey: .status) {
        case .good: status = .good
        case .revoked:
            let name = try container.decodeIfPresent(String.self, forKey: .reason)
            let reason = name.flatMap(RevocationReason.init(name:))
            guard name == nil || reason != nil else {
                throw DecodingError.dataCorruptedError(
                    forKey: .reason, in: container, debugDescription: "\(name ?? "") is not a reason")
            }
            status = .revoked(at: try container.decodeIfPresent(Time.self, forKey: .revokedAt), reason: reason)
        case .exempt: status = .exempt(try container.decode(RevocationExemption.self, forKey: .exemption))
        case .unobtainable:
            status = .unobtainable(
                try container.decode([String].self, forKey: .obstacles).map(RevocationObstacle.init(name:)))
        case .unchecked: status = .unchecked
        }
        self.init(
            certificate: try container.decode(Int.self, forKey: .certificate), status: status,
            source: try container.decodeIfPresent(Source.self, forKey: .source),
            validFrom: try container.decodeIfPresent(Time.self, forKey: .validFrom),
            validUntil: try container.decodeIfPresent(Time.self, forKey: .validUntil),
            notes: (try container.decodeIfPresent([String].self, forKey: .notes) ?? []).map(RevocationNote.init(name:)))
    }
}
