// SPDX-License-Identifier: Apache-2.0

// Declarations of Foundation's URLSession as Apple has them, with its members of the Security framework's types, for sources of apps:
// type-checking on Linux alone (Tests/External/apple). The module's name is that of Swift's Foundation on Linux, which such
// sources import; on Apple platforms it is part of Foundation. The methods of the protocols are optional there.
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
