// SPDX-License-Identifier: Apache-2.0

/// A file's statement about connections without TLS: Android's `cleartextTrafficPermitted`, or `NSAllowsArbitraryLoads`
/// or `NSExceptionAllowsInsecureHTTPLoads` from App Transport Security.
///
/// Pins don't apply to such connections. Evaluation and conversion ignore these statements. Linting compares them with
/// the pins.
package struct CleartextStatement: Sendable, Hashable {
    /// The hosts, or nil for all hosts without a separate statement.
    package let hosts: PinnedHosts?
    /// Whether the connections are permitted, or nil if the platform's default decides.
    package let isPermitted: Bool?
    /// Whether the statement names the hosts. False if it is inherited from the statement for the whole app.
    package let isExplicit: Bool
    /// The location of the statement.
    package let location: PinFileLocation

    init(_ hosts: PinnedHosts?, isPermitted: Bool?, isExplicit: Bool = true, at location: PinFileLocation) {
        self.hosts = hosts
        self.isPermitted = isPermitted
        self.isExplicit = isExplicit
        self.location = location
    }
}
