// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A statement of a file about connections without TLS: Android's `cleartextTrafficPermitted`, and `NSAllowsArbitraryLoads` and
/// `NSExceptionAllowsInsecureHTTPLoads` of App Transport Security.
///
/// Pins don't apply to such connections. Evaluation and conversion don't depend on the statements; linting compares them with the pins.
package struct CleartextStatement: Sendable, Hashable {
    /// The hosts; nil for all hosts without a statement of their own.
    package let hosts: PinnedHosts?
    /// Whether the connections are permitted; nil if the platform's default decides.
    package let isPermitted: Bool?
    /// Whether the statement is made for the hosts, and not taken over from the whole app's.
    package let isExplicit: Bool
    /// The location of the statement.
    package let location: PinFileLocation

    package init(_ hosts: PinnedHosts?, isPermitted: Bool?, isExplicit: Bool = true, at location: PinFileLocation) {
        self.hosts = hosts
        self.isPermitted = isPermitted
        self.isExplicit = isExplicit
        self.location = location
    }
}
