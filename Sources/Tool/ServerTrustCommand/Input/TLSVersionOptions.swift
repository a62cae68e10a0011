// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerObservation

/// The minimum TLS version for `--tls-minimum`.
enum TLSMinimum: String, CaseIterable, ExpressibleByArgument {
    case tls10 = "1.0"
    case tls11 = "1.1"
    case tls12 = "1.2"
    case tls13 = "1.3"

    var version: ProtocolVersion {
        switch self {
        case .tls10: .tls10
        case .tls11: .tls11
        case .tls12: .tls12
        case .tls13: .tls13
        }
    }
}

/// The option for TLS versions.
struct TLSVersionOptions: ParsableArguments {
    @Option(help: .book("check --tls-minimum"))
    var tlsMinimum = TLSMinimum.tls12

    /// - Throws: `ValidationError` for a version that doesn't allow requests.
    func requireUsable(follows: Bool) throws {
        try OptionRule.check(
            .that(
                !follows || tlsMinimum.version >= .tls12,
                "--follow sends a request, which --tls-minimum \(tlsMinimum.rawValue) doesn't allow"))
    }
}
