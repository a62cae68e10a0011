// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The name that the leaf is compared with (RFC 9525 § 2, the reference identity).
public enum ReferenceIdentity: Sendable, Hashable {
    /// The host that the connection goes to, which is nearly always right.
    case connectedHost
    /// Another name, by which the server is known although the connection goes to an address or an alias.
    case name(Hostname)
    /// No name: every name is accepted. For peers that are identified by their certificate or key; without a pin, every server with a
    /// valid certificate passes. The verdict has the identity as not checked.
    case insecurelyAnyName
}
