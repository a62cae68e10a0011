// SPDX-License-Identifier: Apache-2.0

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

    /// Returns the text for people: message, days and code.
    func line(on path: [Certificate], sentIn presented: PresentedChain, _ palette: Palette) -> String {
        palette.bad("finding:") + " \(printable(failure.message(on: path, sentIn: presented))), \(daysLeft) "
            + palette.faint("[\(failure.code)]")
    }
}

extension ExpiryFinding: Encodable {
    private enum CodingKeys: String, CodingKey {
        case code, certificate, role, message, notAfter, daysLeft
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(failure.code.name, forKey: .code)
        try container.encode(failure.certificate, forKey: .certificate)
        try container.encode(failure.role, forKey: .role)
        try container.encode(failure.message, forKey: .message)
        try container.encode(notAfter.description, forKey: .notAfter)
        try container.encode(daysLeft.days, forKey: .daysLeft)
    }
}

extension TrustFailure.Code {
    /// The finding of `--expires-within`. The engine never reports it.
    static let certificateExpiresSoon = Self(
        "certificateExpiresSoon", rank: 1, severity: .recoverable,
        message: "{subject} ends {found}, expected after {expected}")
}
