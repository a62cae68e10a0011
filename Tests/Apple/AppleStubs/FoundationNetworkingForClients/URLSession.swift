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
}

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}
