// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A remedy in the JSON of `verify` and `check`.
struct AdviceRecord: Encodable {
    /// The code of the failure, or nil for advice about the whole chain and its expiry.
    let code: String?
    /// The indices of the failed certificates in the path. Empty for the whole path.
    let certificates: [Int]
    /// The party that can act: ``Advice/Party``.
    let party: String
    /// One or two sentences. The wording may change.
    let fix: String
    /// The options that change the verdict, with their values, or nil if there aren't any.
    let options: [String]?
    /// The reason for a missing revocation status (``RevocationGap``), or nil for other failures.
    let revocationGap: RevocationGap?

    private init(_ advice: Advice) {
        if case .failure(let failed) = advice.subject { code = failed.name } else { code = nil }
        certificates = advice.certificates.compactMap(\.self)
        party = advice.party.rawValue
        fix = advice.text
        options = advice.options.isEmpty ? nil : advice.options.map(\.argument)
        revocationGap = advice.revocationGap
    }

    /// Returns the records, or nil if there aren't any.
    static func all(_ advice: [Advice]) -> [AdviceRecord]? {
        advice.isEmpty ? nil : advice.map(AdviceRecord.init)
    }
}
