// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

extension ReportFields {
    /// Creates the facts about a certificate in the JSON of `check` and `verify`, with the names of `servertrust inspect`.
    /// - Parameters:
    ///   - count: the number of certificates in the report, which share its bytes. Only `inspect` shows a certificate
    ///     with a thousand names in full.
    ///   - names: the names of facts to leave out.
    ///   - now: the time from which to count days.
    init(_ certificate: Certificate, of count: Int, without names: Set<String> = [], at now: Time) {
        // The maximum number of bytes for a text, and for all values of a list.
        let size = max(128, 3072 / max(1, count))
        self = [:]
        for fact in CertificateDescription(der: certificate.der).facts(at: now) where !names.contains(fact.name) {
            switch fact.value {
            case .text(let text): add(fact.name, .text(text?.abridged(toBytes: size)))
            case .number(let number): add(fact.name, .number(number))
            case .flag(let flag): add(fact.name, flag.map { .flag($0) } ?? .text(nil))
            case .list(let list):
                let kept = Self.kept(list, size)
                add(fact.name, .texts(kept))
                if kept.count < list.count { add(fact.name + "Omitted", .number(list.count - kept.count)) }
            }
        }
    }

    /// Returns the first values that fit, at least one.
    private static func kept(_ list: [String], _ size: Int) -> [String] {
        var left = size
        let values = list.prefix { value in
            left -= value.utf8.count
            return left >= 0
        }
        return values.isEmpty ? list.prefix(1).map { $0.abridged(toBytes: size) } : Array(values)
    }
}

extension TrustVerdict {
    /// Returns the record of the verdict. Additional members contain the places of the path's certificates in the order
    /// sent (0 for the first, null for one that wasn't sent), the facts about them, and the leaf's names that don't match
    /// the host.
    func fields(_ presented: PresentedChain) -> ReportFields {
        var fields: ReportFields = [
            "presented": .list(path.map { .number(presented.place(of: $0)) }),
            "certificateFacts": .objects(path.map { ReportFields($0, of: path.count, at: evaluationDate) }),
        ]
        fields.record = self
        if notChecked.contains(.revocation), let rest = certificatesWithoutRevocationStatus {
            fields.add("revocationNotChecked", .list(rest.map { .number($0) }))
        }
        return fields + (nameMismatch?.fields ?? [:])
    }

    /// The indices in the path of the certificates without a revocation status, or nil if no certificate has one.
    var certificatesWithoutRevocationStatus: [Int]? {
        var isAnyKnown = false
        let rest = revocation.filter {
            switch $0.status {
            case .good, .revoked: isAnyKnown = true
            case .exempt: break
            case .unobtainable, .unchecked: return true
            }
            return false
        }
        return isAnyKnown ? rest.map(\.certificate) : nil
    }

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

extension NameMismatch {
    /// The size of the names in JSON, in bytes.
    var writtenSize: Int { names.reduce(64) { $0 + $1.value.writtenSize + 96 } }

    var fields: ReportFields {
        [
            "rejectedNames": .objects(
                names.map { name in
                    [
                        "type": .text(name.form.rawValue), "value": .text(name.value),
                        "reason": .text(name.reason.rawValue),
                    ]
                }),
            "rejectedNamesOmitted": omitted > 0 ? .number(omitted) : nil,
        ]
    }
}
