// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import ServerTrust

extension TrustedHTTPClient {
    /// The client for programs without custom rules. It evaluates every server with the system's anchors and the name
    /// of its host.
    ///
    /// ```swift
    /// let response = try await TrustedHTTPClient.shared.get(url: "https://www.example.com/")
    /// ```
    /// It has the settings of `HTTPClient.shared`: a connect timeout and a read timeout of 90 seconds, 20 redirects,
    /// and decompression. It doesn't read the system's proxies. It has no pins and no denied hosts, you can't replace
    /// its rules, and it never shuts down.
    /// - Throws: NIOSSL's error if it can't create a TLS context.
    public static var shared: TrustedHTTPClient {
        get throws { try sharedClient.get() }
    }
}

private let sharedClient = Result {
    try TrustedHTTPClient(
        source: VerdictSource(.publicWeb),
        configuration: TrustedHTTPConfiguration(.singletonConfiguration, redirects: .follow(max: 20)), isShared: true)
}

#endif
