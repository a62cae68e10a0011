// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import PKIX

/// The properties that two requests have to have in common to share a connection.
struct ConnectionKey: Sendable, Hashable {
    let origin: Origin
    /// The address to connect to in the place of the origin's host; nil to leave it to the resolver.
    var address: IPAddress?
    /// Whether the server isn't shown the client's certificate, even if it asks for one.
    var isAnonymous = false
    /// The proxy that the connection goes through; nil for none.
    var proxy: HTTPClient.Configuration.Proxy?

    var host: Hostname { origin.host }
    var isSecure: Bool { origin.isSecure }

    init(_ origin: Origin, address: IPAddress? = nil, isAnonymous: Bool = false) {
        self.origin = origin
        self.address = address
        self.isAnonymous = isAnonymous
    }

    /// The name or address to connect to, as it stands in a URL.
    /// - Parameter overrides: addresses or names by host, in the place of the resolver's answer.
    func connectName(overrides: [String: String]) -> String {
        if let address { return address.bytes.count == 16 ? "[\(address)]" : address.description }
        guard let override = overrides[host.description] else { return origin.resolverName }
        return IPAddress(override)?.bytes.count == 16 ? "[\(override)]" : override
    }
}
