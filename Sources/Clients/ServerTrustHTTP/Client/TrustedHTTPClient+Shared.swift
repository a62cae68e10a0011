// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import ServerTrust

extension TrustedHTTPClient {
    /// The client for programs without rules of their own: every server is held against the system's anchors and its host's name.
    ///
    /// ```swift
    /// let response = try await TrustedHTTPClient.shared.get(url: "https://www.example.com/")
    /// ```
    /// Its settings are those of `HTTPClient.shared`: 90 seconds for connecting and between two bytes, 20 redirects, decompression, the system's
    /// proxies not read. It has no pins and no hosts that are denied, its rules can't be replaced, and it is never shut down.
    /// - Throws: NIOSSL's error when it can't make a TLS context.
    public static var shared: TrustedHTTPClient {
        get throws { try sharedClient.get() }
    }
}

private let sharedClient = Result {
    try TrustedHTTPClient(
        source: VerdictSource(.publicWeb),
        configuration: TrustedHTTPConfiguration(.singletonConfiguration, redirects: .follow(max: 20)), isShared: true)
}
