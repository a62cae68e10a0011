// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

/// A certificate in a validated path that expires within the time of `--expires-within`.
///
/// The path is trusted, so this isn't a failure of the verdict. It is a finding of the command, with the command's own
/// code.
struct ExpiryFinding: Sendable {
    let failure: TrustFailure
    let notAfter: Time
    let daysLeft: DaysLeft

    /// Returns the findings in the path of a trusted verdict, leaf first. A refused server has no findings, because its
    /// failures say more.
    ///
    /// Certificates that have expired and whose expiry is covered by an exception are left out.
    /// - Parameter seconds: the time from the verify date on. A certificate that expires in the last second is a
    ///   finding.
    static func findings(in verdict: TrustVerdict, within seconds: Int64) -> [ExpiryFinding] {
        guard verdict.isTrusted else { return [] }
        let now = verdict.evaluationDate
        let limit = now.advanced(by: seconds)
        return verdict.path.enumerated().compactMap { index, certificate in
            let end = certificate.notAfter
            guard end >= now, end <= limit else { return nil }
            let daysLeft = DaysLeft(until: end, at: now)
            return ExpiryFinding(
                failure: TrustFailure(
                    .certificateExpiresSoon, certificate: index, role: verdict.role(at: index), expected: .time(limit),
                    found: .time(end)), notAfter: end, daysLeft: daysLeft)
        }
    }
}

extension ExpiryFinding {
    var fields: ReportFields {
        [
            "code": .text(failure.code.name), "certificate": .number(failure.certificate),
            "role": .text(failure.role?.rawValue), "message": .text(failure.message),
            "notAfter": .text(notAfter.description), "daysLeft": .number(Int(clamping: daysLeft.days)),
        ]
    }
}

extension TrustFailure.Code {
    /// The finding of `--expires-within`. The engine never reports it.
    static let certificateExpiresSoon = Self(
        "certificateExpiresSoon", rank: 1, severity: .recoverable,
        message: "{subject} ends {found}, expected after {expected}")
}
