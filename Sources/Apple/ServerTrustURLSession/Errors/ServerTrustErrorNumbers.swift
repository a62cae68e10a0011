// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import ServerTrust

/// The numbering of the `URLError` for a refused server.
public enum ServerTrustErrorNumbers: Sendable, Hashable, CaseIterable {
    /// The documented meaning of the headline failure: -1201 and -1204 for dates, -1203 for an unknown CA, -1202 for
    /// everything else, including pins.
    case byMeaning
    /// The numbers that Apple's software was reported to use: -1202 for every certificate failure, and -1200 if the
    /// path contains none of the pinned keys or certificates, as App Transport Security does for `NSPinnedDomains`. Use
    /// it for error handling that was written on Apple platforms. `AppleErrorNumbers.asReported` lists the sources.
    ///
    /// Not reproduced: -999, which a delegate gets when it cancels the challenge itself.
    case asReported

    /// Returns the numbers for failures, most specific first, or nil if there are no failures.
    func numbers(for failures: [TrustFailure]) -> AppleErrorNumbers? {
        switch self {
        case .byMeaning: AppleErrorNumbers.headline(of: failures)
        case .asReported: AppleErrorNumbers.namedByApple(among: failures)?.code.appleErrorNumbers.asReported
        }
    }
}

#endif
