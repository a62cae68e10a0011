// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A remedy in the JSON of `verify` and `check`.
struct AdviceRecord: Encodable {
    /// The code of the failure; nil for advice about the chain as a whole and about its end.
    let code: String?
    /// The indices in the path of the certificates that failed; empty for the whole path.
    let certificates: [Int]
    /// The party that can act: ``Advice/Party``.
    let party: String
    /// One or two sentences; the wording may change.
    let fix: String
    /// The options that change the answer, with their values; nil for none.
    let options: [String]?
    /// The reason why there is no revocation status: ``RevocationGap``; nil for other failures.
    let revocationGap: RevocationGap?

    private init(_ advice: Advice) {
        if case .failure(let failed) = advice.subject { code = failed.name } else { code = nil }
        certificates = advice.certificates.compactMap(\.self)
        party = advice.party.rawValue
        fix = advice.text
        options = advice.options.isEmpty ? nil : advice.options.map(\.argument)
        revocationGap = advice.revocationGap
    }

    /// Returns the records; nil for none.
    static func all(_ advice: [Advice]) -> [AdviceRecord]? {
        advice.isEmpty ? nil : advice.map(AdviceRecord.init)
    }
}
