// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The settings of an evaluation, for display.
struct SettingsFacts {
    let fields: [TrustReport.Field]

    init(_ verdict: TrustVerdict) {
        var fields = [
            TrustReport.Field("verify date", verdict.evaluationDate.description),
            TrustReport.Field("rules", verdict.profile.rawValue + (verdict.isStrict ? ", strict" : "")),
            TrustReport.Field("purpose", verdict.purpose.rawValue),
        ]
        // The usual result for a trusted peer adds no information for readers.
        if verdict.result != .unspecified { fields.append(TrustReport.Field("result", verdict.result.rawValue)) }
        if let name = verdict.referenceName {
            fields.insert(TrustReport.Field("name compared", name.description), at: 0)
        }
        if verdict.assertsExtendedValidation {
            fields.append(TrustReport.Field("extended validation", verdict.organization ?? "no organization"))
        }
        if verdict.isAcceptedByDelegate { fields.append(TrustReport.Field("accepted by", "the client's delegate")) }
        self.fields = fields
    }
}
