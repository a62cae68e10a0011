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

    private init(_ name: String) { self.name = name }

    /// A resolver other than the system's.
    package static let dnsResolver = DroppedSetting("dnsResolver")
    /// An initializer of HTTP/1.1 connections.
    package static let http1ConnectionInitializer = DroppedSetting("http1_1ConnectionDebugInitializer")
    /// An initializer of HTTP/2 connections.
    package static let http2ConnectionInitializer = DroppedSetting("http2ConnectionDebugInitializer")
    /// An initializer of HTTP/2 streams.
    package static let http2StreamInitializer = DroppedSetting("http2StreamChannelDebugInitializer")
    /// Multipath TCP.
    package static let multipath = DroppedSetting("enableMultipath")
    /// Failing at once when Network.framework would wait for a network.
    package static let waitForConnectivity = DroppedSetting("networkFrameworkWaitForConnectivity")
    /// Verification without names or with optional certificates. The client always checks the path and the name, unless
    /// a rule says otherwise.
    package static let certificateVerification = DroppedSetting("tlsConfiguration.certificateVerification")
    /// TLS versions below 1.2, which async-http-client allows by default.
    package static let minimumTLSVersion = DroppedSetting("tlsConfiguration.minimumTLSVersion")
    /// Renegotiation. A server could use it to change its certificate after the verdict.
    package static let renegotiationSupport = DroppedSetting("tlsConfiguration.renegotiationSupport")
    /// ALPN protocols other than HTTP/1.1 and HTTP/2.
    package static let applicationProtocols = DroppedSetting("tlsConfiguration.applicationProtocols")

    /// Returns the settings that a configuration sets and ``TrustedHTTPConfiguration`` doesn't have.
    ///
    /// ``minimumTLSVersion`` also counts if it has its default value, because that value allows older versions.
    static func dropped(of configuration: HTTPClient.Configuration) -> [DroppedSetting] {
        var dropped: [DroppedSetting] = []
        func note(_ setting: DroppedSetting, _ isSet: Bool) { if isSet { dropped.append(setting) } }
        note(.dnsResolver, configuration.dnsResolver != .system)
        note(.http1ConnectionInitializer, configuration.http1_1ConnectionDebugInitializer != nil)
        note(.http2ConnectionInitializer, configuration.http2ConnectionDebugInitializer != nil)
        note(.http2StreamInitializer, configuration.http2StreamChannelDebugInitializer != nil)
        note(.multipath, configuration.enableMultipath)
        note(.waitForConnectivity, !configuration.networkFrameworkWaitForConnectivity)
        let tls = configuration.tlsConfiguration ?? .makeClientConfiguration()
        note(.certificateVerification, tls.certificateVerification != .fullVerification)
        note(.minimumTLSVersion, [.tlsv1, .tlsv11].contains(tls.minimumTLSVersion))
        note(.renegotiationSupport, tls.renegotiationSupport != .none)
        note(.applicationProtocols, tls.applicationProtocols.contains { !["h2", "http/1.1"].contains($0) })
        return dropped
    }
}

#endif
