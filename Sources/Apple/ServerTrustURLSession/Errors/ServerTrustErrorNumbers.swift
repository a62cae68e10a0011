// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The choice of the numbers in the `URLError` of a refused server.
public enum ServerTrustErrorNumbers: Sendable, Hashable, CaseIterable {
    /// The numbers of the headline by their documented meaning: -1201 and -1204 for dates, -1203 for an unknown CA, -1202 for everything
    /// else, pins included.
    case byMeaning
    /// The numbers that Apple's software was reported with: -1202 for every failure of certificates, and -1200 for keys and certificates
    /// that are pinned and not there, as App Transport Security has it for `NSPinnedDomains`. For error handling that was written
    /// on Apple platforms. `AppleErrorNumbers.asReported` has the sources.
    ///
    /// Not reproduced: -999, which a delegate has that cancels the challenge itself.
    case asReported

    /// Returns the numbers for failures, most specific first; nil for no failure.
    func numbers(for failures: [TrustFailure]) -> AppleErrorNumbers? {
        switch self {
        case .byMeaning: AppleErrorNumbers.headline(of: failures)
        case .asReported: AppleErrorNumbers.namedByApple(among: failures)?.code.appleErrorNumbers.asReported
        }
    }
}
