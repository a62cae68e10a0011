// SPDX-License-Identifier: Apache-2.0

// Declarations of Apple's Foundation URLSession, including its members with types of the Security framework. Only for
// type-checking app sources on Linux (Tests/External/apple). The module has the same name as the Swift Foundation
// module that such sources import on Linux. On Apple platforms it is part of Foundation, and the methods of the
// protocols are optional.
import Foundation
import Security

public let NSURLAuthenticationMethodServerTrust: String = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate: String = "NSURLAuthenticationMethodClientCertificate"
public let NSURLAuthenticationMethodHTTPBasic: String = "NSURLAuthenticationMethodHTTPBasic"

open class URLProtectionSpace: NSObject, @unchecked Sendable {
    open var host: String { fatalError("a stub") }
    open var port: Int { fatalError("a stub") }
    open var realm: String? { fatalError("a stub") }
    open var authenticationMethod: String { fatalError("a stub") }
    open var distinguishedNames: [Data]? { fatalError("a stub") }
    open var serverTrust: SecTrust? { fatalError("a stub") }
}

open class URLCredential: NSObject, @unchecked Sendable {
    public enum Persistence: UInt, @unchecked Sendable {
        case none = 0
        case forSession = 1
        case permanent = 2
        case synchronizable = 3
    }
    public init(user: String, password: String, persistence: URLCredential.Persistence) {}
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence) {}
    public init(trust: SecTrust) {}
}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    open var protectionSpace: URLProtectionSpace { fatalError("a stub") }
    open var proposedCredential: URLCredential? { fatalError("a stub") }
    open var previousFailureCount: Int { fatalError("a stub") }
}

open class URLSession: NSObject, @unchecked Sendable {
    public enum AuthChallengeDisposition: Int, @unchecked Sendable {
        case useCredential = 0
        case performDefaultHandling = 1
        case cancelAuthenticationChallenge = 2
        case rejectProtectionSpace = 3
    }
}

open class URLSessionTask: NSObject, @unchecked Sendable {}

// On Apple platforms, this type is part of the Security framework.
public enum tls_protocol_version_t: UInt16, @unchecked Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    public enum ResourceFetchType: Int, @unchecked Sendable {
        case unknown = 0
        case networkLoad = 1
        case serverPush = 2
        case localCache = 3
    }
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { fatalError("a stub") }
    open var taskInterval: DateInterval { fatalError("a stub") }
    open var redirectCount: Int { fatalError("a stub") }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    open var response: URLResponse? { fatalError("a stub") }
    open var domainLookupStartDate: Date? { fatalError("a stub") }
    open var domainLookupEndDate: Date? { fatalError("a stub") }
    open var requestStartDate: Date? { fatalError("a stub") }
    open var responseEndDate: Date? { fatalError("a stub") }
    open var networkProtocolName: String? { fatalError("a stub") }
    open var isReusedConnection: Bool { fatalError("a stub") }
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { fatalError("a stub") }
    open var remoteAddress: String? { fatalError("a stub") }
    open var remotePort: Int? { fatalError("a stub") }
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? { fatalError("a stub") }
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    open var statusCode: Int { fatalError("a stub") }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension URLSessionDelegate {
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
}

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}
