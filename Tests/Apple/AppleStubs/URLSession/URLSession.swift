// SPDX-License-Identifier: Apache-2.0

// The `URLSession` symbols in Apple's Foundation that Sources/Apple/ServerTrustURLSession/Apple uses, and that are
// missing from or different in Swift's Foundation on Linux. Only for type-checking on Linux (Tests/External/apple), and
// not a target of the package.
//
// The signatures come from Apple's documentation for Swift. They have never been compared with an SDK. On Apple
// platforms the protocols' methods are optional. Here they have default implementations, which is the closest that
// Swift offers without Objective-C.
import Foundation
import Security

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

open class URLProtectionSpace: NSObject {
    public let host: String
    public let authenticationMethod: String
    public let serverTrust: SecTrust?

    public init(host: String, authenticationMethod: String, serverTrust: SecTrust?) {
        self.host = host
        self.authenticationMethod = authenticationMethod
        self.serverTrust = serverTrust
    }
}

open class URLAuthenticationChallenge: NSObject {
    public let protectionSpace: URLProtectionSpace

    public init(_ protectionSpace: URLProtectionSpace) { self.protectionSpace = protectionSpace }
}

open class URLCredential: NSObject {
    public let trust: SecTrust

    public init(trust: SecTrust) { self.trust = trust }
}

open class URLSessionTask: NSObject, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential = 0
        case performDefaultHandling = 1
        case cancelAuthenticationChallenge = 2
        case rejectProtectionSpace = 3
    }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
}
