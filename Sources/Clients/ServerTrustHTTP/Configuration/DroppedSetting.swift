// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOSSL

/// A setting of an `HTTPClient.Configuration` that ``TrustedHTTPConfiguration`` doesn't have. New versions may add
/// settings.
public struct DroppedSetting: Sendable, Hashable, CustomStringConvertible {
    /// The property name as you write it after the configuration, for example `tlsConfiguration.renegotiationSupport`.
    /// Stable.
    public let name: String

    public var description: String { name }

    /// Returns the settings that a configuration sets and ``TrustedHTTPConfiguration`` doesn't have.
    static func dropped(of configuration: HTTPClient.Configuration) -> [DroppedSetting] {
        let tls = configuration.tlsConfiguration ?? .makeClientConfiguration()
        let settings: KeyValuePairs<String, Bool> = [
            "dnsResolver": configuration.dnsResolver != .system,
            "http1_1ConnectionDebugInitializer": configuration.http1_1ConnectionDebugInitializer != nil,
            "http2ConnectionDebugInitializer": configuration.http2ConnectionDebugInitializer != nil,
            "http2StreamChannelDebugInitializer": configuration.http2StreamChannelDebugInitializer != nil,
            // Multipath TCP.
            "enableMultipath": configuration.enableMultipath,
            // Failing at once when Network.framework would wait for a network.
            "networkFrameworkWaitForConnectivity": !configuration.networkFrameworkWaitForConnectivity,
            // Verification without names or with optional certificates. The client always checks the path and the name,
            // unless a rule says otherwise.
            "tlsConfiguration.certificateVerification": tls.certificateVerification != .fullVerification,
            // TLS versions below 1.2. async-http-client's default allows them, so the default value counts, too.
            "tlsConfiguration.minimumTLSVersion": [.tlsv1, .tlsv11].contains(tls.minimumTLSVersion),
            // A server could use renegotiation to change its certificate after the verdict.
            "tlsConfiguration.renegotiationSupport": tls.renegotiationSupport != .none,
            // ALPN protocols other than HTTP/1.1 and HTTP/2.
            "tlsConfiguration.applicationProtocols":
                tls.applicationProtocols.contains { !["h2", "http/1.1"].contains($0) },
        ]
        return settings.filter(\.value).map { DroppedSetting(name: $0.key) }
    }
}

#endif
