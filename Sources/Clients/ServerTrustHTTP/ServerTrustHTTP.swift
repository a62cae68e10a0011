// SPDX-License-Identifier: Apache-2.0

@_exported import ServerTrust

#if HTTP || Everything

// `import ServerTrustHTTP` is all you need for a request, or for a service group with a client. It exports rules, verdicts,
// fetching, async-http-client's requests and responses, and the names of a service.
@_exported import ServerTrustNIO

@_exported import struct AsyncHTTPClient.HTTPClientRequest
@_exported import struct AsyncHTTPClient.HTTPClientResponse
@_exported import struct Logging.Logger
@_exported import protocol ServiceLifecycle.Service
@_exported import class ServiceLifecycle.ServiceGroup

#else

// Without a trait, the module has no dependencies, and its names say which trait is missing. They can be used as in the first
// examples, so that the compiler reports nothing else.

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct TrustedHTTPClient {
    public init(trust: ServerTrustConfiguration) throws {}
    public init<Value>(trust: ServerTrustConfiguration, configuration: Value) throws {}
    public func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse {
        HTTPClientResponse()
    }
    public func shutdown() async {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct HTTPClientRequest {
    public init(url: String) {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct HTTPClientResponse {
    public var status: Int { 0 }
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct TrustedHTTPConfiguration {
    public init() {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct HTTPTrustFetcher {
    public init() {}
    public func shutdown() async {}
}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct HTTPClientGate {}

@available(*, unavailable, message: "add the trait HTTP to the traits of swift-server-trust in Package.swift")
public struct PinUpdateService {
    public init<Updater>(_ updater: Updater) {}
}

#endif
