// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The option for certificates that expire soon.
struct ExpiryOptions: ParsableArguments {
    @Option(help: .book("check --expires-within"), transform: reading(TimeSpan.withUnit))
    var expiresWithin: TimeSpan?

    /// The time in seconds, or nil to skip the check.
    var seconds: Int64? { expiresWithin.map { Int64($0.milliseconds / 1_000) } }

    /// Returns the findings for a verdict.
    func findings(in verdict: TrustVerdict) -> [ExpiryFinding] {
        seconds.map { ExpiryFinding.findings(in: verdict, within: $0) } ?? []
    }
}
