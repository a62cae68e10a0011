// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The name that the leaf is held against (RFC 9525 § 2, the reference identity).
public enum ReferenceIdentity: Sendable, Hashable {
    /// The host that the connection goes to: what is nearly always meant.
    case connectedHost
    /// Another name: the one that the server is known by, where the connection goes through an address or an alias.
    case name(Hostname)
    /// None: any name will do. For peers that are known by their certificate or key; without a pin every server of the world
    /// with a valid certificate passes. Shows in the verdict as not checked.
    case insecurelyAnyName
}
