// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The name that the leaf is compared with (RFC 9525 § 2, the reference identity).
public enum ReferenceIdentity: Sendable, Hashable {
    /// The host that the connection goes to. This is nearly always right.
    case connectedHost
    /// Another name of the server, for a connection that goes to an address or an alias.
    case name(Hostname)
    /// No name: the evaluation accepts any name. Use it for peers that you identify by their certificate or key.
    /// Without a pin, every server with a valid certificate passes. The verdict lists the identity as not checked.
    case insecurelyAnyName
}
