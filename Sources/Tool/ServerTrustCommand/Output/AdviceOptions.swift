// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension Advice.Option {
    /// The command's option with its value.
    var argument: String {
        switch self {
        case .anchors: "--anchors FILE"
        case .fetching: "--fetch"
        case .evidence: "--crl FILE"
        case .time(let time): "--time \(time)"
        case .profile(let profile): "--profile \(profile.rawValue)"
        }
    }

    /// The option, its effect, and the protection that you lose.
    var words: String {
        switch self {
        case .anchors:
            "\(argument) trusts the roots in FILE instead of the system's. A CA that you name can issue certificates for every name."
        case .fetching:
            "\(argument) fetches data from the addresses in the certificates. The owners of these addresses see the requests."
        case .evidence: "\(argument) and --ocsp FILE provide evidence. The evaluation verifies its signature."
        case .time:
            "\(argument) evaluates at a date when the whole path is valid. It shows that nothing else is wrong, but doesn't make the path valid today."
        case .profile:
            "\(argument) trusts this chain without the public web's rules. Browsers still apply them."
        }
    }
}

extension Advice {
    /// The remedy in the JSON of `verify` and `check`. The wording of `fix` may change.
    var fields: ReportFields {
        let code: String? = if case .failure(let failed) = subject { failed.name } else { nil }
        return [
            "code": code.map { .text($0) },
            // The indices of the failed certificates in the path. Empty for the whole path.
            "certificates": .list(certificates.compactMap(\.self).map { .number($0) }),
            "party": .text(party.rawValue), "fix": .text(text),
            "options": options.isEmpty ? nil : .texts(options.map(\.argument)),
            "revocationGap": revocationGap.map { .text($0.rawValue) },
        ]
    }
}
