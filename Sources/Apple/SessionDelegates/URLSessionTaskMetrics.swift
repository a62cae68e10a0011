// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import PKIX

/// Foundation's class of the same name, which no session on Linux fills in.
///
/// In a file that imports ServerTrustURLSession, the name means this class. Your delegate receives it in
/// `urlSession(_:task:didFinishCollecting:)`.
public final class URLSessionTaskMetrics: NSObject, Sendable {
    /// The ways to get a resource.
    public typealias ResourceFetchType = FoundationNetworking.URLSessionTaskMetrics.ResourceFetchType

    /// One element for each request that the session tried to send, and for each response from the cache, in order.
    /// A request that the session repeats on a new connection is one element. Empty if the task ended before the
    /// first one.
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    /// The time from the first `resume()` to the end of the task. On Apple platforms, the interval begins when the
    /// task is created.
    public let taskInterval: DateInterval
    /// The number of redirects that the task has followed.
    public let redirectCount: Int

    package init(
        _ transactionMetrics: [URLSessionTaskTransactionMetrics], taskInterval: DateInterval, redirectCount: Int
    ) {
        self.transactionMetrics = transactionMetrics
        self.taskInterval = taskInterval
        self.redirectCount = redirectCount
    }
}

/// The metrics of one request and its response. See ``URLSessionTaskMetrics``.
///
/// A property is nil if the session doesn't know its value, for example because the request failed before. The
/// class lacks those properties of Apple's class that no session of this package knows: the counts of header bytes
/// and of encoded response bytes, the cipher suite, and the kind of network.
public final class URLSessionTaskTransactionMetrics: NSObject, Sendable {
    /// The properties of an object, while they are collected.
    package struct Values: Sendable {
        var request: URLRequest
        package var response: URLResponse?
        package var fetchStartDate: Date?
        package var connectEndDate: Date?
        package var requestStartDate: Date?
        package var requestEndDate: Date?
        package var responseStartDate: Date?
        package var responseEndDate: Date?
        package var networkProtocolName: String?
        package var isProxyConnection = false
        package var isReusedConnection = false
        package var resourceFetchType = URLSessionTaskMetrics.ResourceFetchType.unknown
        package var remote: (address: String?, port: Int?)
        package var local: (address: String?, port: Int?)
        package var tlsVersion: tls_protocol_version_t?
        package var sent: Int64 = 0
        package var received: Int64 = 0

        package init(_ request: URLRequest) { self.request = request }
    }

    private let values: Values

    package init(_ values: Values) { self.values = values }

    /// The request, without the fields that the session adds, such as cookies and credentials.
    public var request: URLRequest { values.request }
    /// The response, or nil if none arrived. A 401 has no `WWW-Authenticate` field.
    public var response: URLResponse? { values.response }

    /// The time when the session began to get the resource, from the network or the cache.
    public var fetchStartDate: Date? { values.fetchStartDate }
    /// Always nil. The session doesn't know the value.
    public var domainLookupStartDate: Date? { nil }
    /// Always nil. The session doesn't know the value.
    public var domainLookupEndDate: Date? { nil }
    /// Always nil. The session doesn't know the value.
    public var connectStartDate: Date? { nil }
    /// The time when the new connection was ready for the request, after TLS and the verdict on the server. Nil if
    /// the connection was reused or if there was no response.
    public var connectEndDate: Date? { values.connectEndDate }
    /// Always nil. The session doesn't know the value.
    public var secureConnectionStartDate: Date? { nil }
    /// Equals ``connectEndDate``.
    public var secureConnectionEndDate: Date? { values.connectEndDate }
    /// The time when the session began to send the request on its connection. Nil if there was no response.
    public var requestStartDate: Date? { values.requestStartDate }
    /// The time when the HTTP client took the last bytes of the body. Without a body, the same as
    /// ``requestStartDate``. Nil if there was no response.
    public var requestEndDate: Date? { values.requestEndDate }
    /// The time when the head of the response arrived.
    public var responseStartDate: Date? { values.responseStartDate }
    /// The time when the session had read the last byte of the body. Nil if it didn't read the whole body.
    public var responseEndDate: Date? { values.responseEndDate }

    /// The name of the protocol as in ALPN: `h2`, `http/1.1` or `http/1.0`. Nil without a response from the
    /// network.
    public var networkProtocolName: String? { values.networkProtocolName }
    /// Whether the request went to a proxy. It still does if the proxy failed.
    public var isProxyConnection: Bool { values.isProxyConnection }
    /// Whether the connection existed before the session began to get the resource, or served another request
    /// before. False if there was no response.
    public var isReusedConnection: Bool { values.isReusedConnection }
    /// `.networkLoad`, `.localCache`, or `.unknown` for a request that one of your protocol classes claimed. A
    /// cached response that the server confirms is a `.networkLoad` with the status 304.
    public var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { values.resourceFetchType }

    /// The server's IP address, or the proxy's if there is one. Nil without a response from the network.
    public var remoteAddress: String? { values.remote.address }
    /// The port of ``remoteAddress``.
    public var remotePort: Int? { values.remote.port }
    /// The IP address of this end of the connection. Nil without a response from the network.
    public var localAddress: String? { values.local.address }
    /// The port of ``localAddress``.
    public var localPort: Int? { values.local.port }
    /// The version of TLS. Nil without a response from the network.
    public var negotiatedTLSProtocolVersion: tls_protocol_version_t? { values.tlsVersion }

    /// The number of bytes of the request's body that the HTTP client took. The session doesn't encode bodies.
    public var countOfRequestBodyBytesBeforeEncoding: Int64 { values.sent }
    /// Equals ``countOfRequestBodyBytesBeforeEncoding``.
    public var countOfRequestBodyBytesSent: Int64 { values.sent }
    /// The number of bytes of the response's body after decoding.
    public var countOfResponseBodyBytesAfterDecoding: Int64 { values.received }
}

/// The classes of delegates that are known to have no method for metrics.
///
/// Swift can't tell whether a class has the method. The default implementation, which runs in its place, records
/// the class. From then on, a session collects nothing for it.
package enum MetricsMethods {
    private static let lacking = Locked<Set<ObjectIdentifier>>([])

    static func recordMissing(in delegate: any URLSessionTaskDelegate) {
        lacking.withLock { _ = $0.insert(ObjectIdentifier(type(of: delegate))) }
    }

    /// Whether the class of a delegate is known to have no method for metrics.
    package static func isMissing(in delegate: any URLSessionTaskDelegate) -> Bool {
        lacking.withLock { $0.contains(ObjectIdentifier(type(of: delegate))) }
    }
}

#endif
