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

    /// The option, its effect, and the protection that it gives up.
    var words: String {
        switch self {
        case .anchors:
            "\(argument) trusts the roots in FILE in place of the system's: a CA that you name can issue for every name"
        case .fetching: "\(argument) asks the addresses in the certificates, whose owners then see the request"
        case .evidence: "\(argument) and --ocsp FILE provide evidence, whose signature the evaluation verifies"
        case .time:
            "\(argument) evaluates at a date when the whole path is valid: it shows that nothing else is wrong, and doesn't make the path valid today"
        case .profile:
            "\(argument) trusts this chain: it gives up the rules of the public web, which browsers apply in any case"
        }
    }
}
