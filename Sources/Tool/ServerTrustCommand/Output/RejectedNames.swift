// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TrustVerdict {
    /// The names of the leaf, each with the reason why it doesn't match the host. Nil unless the leaf was refused for
    /// its names.
    var nameMismatch: NameMismatch? {
        let codes: [TrustFailure.Code] = [.hostMismatch, .subjectAlternativeNameMissing]
        guard let host = referenceName, let leaf = path.first,
            failures.contains(where: { codes.contains($0.code) && $0.certificate == 0 })
        else { return nil }
        return NameMismatch(of: leaf, for: host)
    }
}

extension RejectedName: Encodable {
    private enum Key: String, CodingKey {
        case type, value, reason
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(form.rawValue, forKey: .type)
        try container.encode(value, forKey: .value)
        try container.encode(reason.rawValue, forKey: .reason)
    }
}

extension NameMismatch {
    /// The size of the names in JSON, in bytes.
    var writtenSize: Int { names.reduce(64) { $0 + $1.value.writtenSize + 96 } }

    /// Writes the keys `rejectedNames` and, if names are left out, `rejectedNamesOmitted` into an object.
    func write(to json: inout JSONWriter) {
        json.key("rejectedNames")
        json.array(of: names) { json, name in
            json.object { json in
                json.key("type")
                json.string(name.form.rawValue)
                json.key("value")
                json.string(name.value)
                json.key("reason")
                json.string(name.reason.rawValue)
            }
        }
        if omitted > 0 {
            json.key("rejectedNamesOmitted")
            json.number(omitted)
        }
    }
}
