// SPDX-License-Identifier: Apache-2.0

// Without a trait, the module has no dependencies, and its names say which trait is missing.

#if !(HTTP || Everything)

import Foundation
@_exported import ServerTrust

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public final class ServerTrustSessionDelegate {
    public init(_ manager: ServerTrustManager) {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public enum ServerTrustErrorKey {}

extension URLSessionConfiguration {
    @available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
    public func withServerTrust<Rules>(_ rules: Rules) -> URLSessionConfiguration { self }
}

extension URLSession {
    @available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
    public convenience init<Delegate>(
        configuration: URLSessionConfiguration, serverTrustManager: ServerTrustManager, delegate: Delegate
    ) { self.init(configuration: configuration) }
}

#endif
