// SPDX-License-Identifier: Apache-2.0

// With this, a file that uses sessions, rules and verdicts only needs `import ServerTrustURLSession`.
@_exported import ServerTrust

#if HTTP || Everything

#if canImport(FoundationNetworking)
@_exported import class FoundationNetworking.URLSession
@_exported import class FoundationNetworking.URLSessionConfiguration
import FoundationNetworking

/// The key for the data that resumes a download, in the `userInfo` of a failed download's error. Foundation on
/// Linux uses another name. Sessions with a server trust policy provide no such data, so a failed download starts
/// again from the beginning.
public let NSURLSessionDownloadTaskResumeData: String = URLSessionDownloadTaskResumeData
#endif

#else

// Without a trait, the module has no dependencies, and its names say which trait is missing.

import Foundation

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
