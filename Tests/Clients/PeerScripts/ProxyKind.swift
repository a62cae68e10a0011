// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustNIO

@testable import ServerTrustLab

/// The two kinds of proxies.
package enum ProxyKind: String, Sendable, CaseIterable {
    case http
    case socks

    package var tunnel: LabProxy.Tunnel.Kind { self == .http ? .http : .socks }

    package func proxy(_ port: Int) -> ConnectionProxy {
        self == .http ? .http(host: "127.0.0.1", port: port) : .socks5(host: "127.0.0.1", port: port)
    }
}
