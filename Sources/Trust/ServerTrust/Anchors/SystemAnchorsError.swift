// SPDX-License-Identifier: Apache-2.0

import TrustLists

/// The error of a system without anchors.
public struct SystemAnchorsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A path that was tried.
    package struct Place: Sendable, Hashable {
        /// The path.
        package let path: String
        /// The result: `missing`, `not readable` or `no certificate in it`.
        package let finding: String
    }
    /// The paths that were tried.
    package let places: [Place]
    /// Whether `SSL_CERT_FILE` or `SSL_CERT_DIR` named the paths.
    package let isFromEnvironment: Bool
    /// The error of the list that the environment names; nil if that isn't the reason.
    package let overlay: RootListError?

    init(places: [Place], isFromEnvironment: Bool) {
        self.places = places
        self.isFromEnvironment = isFromEnvironment
        self.overlay = nil
    }

    init(overlay: RootListError) {
        self.places = []
        self.isFromEnvironment = true
        self.overlay = overlay
    }

    /// One line for people; its wording may change.
    public var description: String {
        if let overlay {
            return "no system anchors: \(SystemAnchors.overlayVariable) names a list that can't be used: \(overlay)"
        }
        let list = places.map { "\($0.path) (\($0.finding))" }.joined(separator: ", ")
        return isFromEnvironment
            ? "no system anchors: SSL_CERT_FILE or SSL_CERT_DIR names \(list)"
            : "no system anchors: tried \(list); install ca-certificates or set SSL_CERT_FILE"
    }
}
