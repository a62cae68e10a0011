// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The bytes of a resource, and their source.
public struct TrustResourceAnswer: Sendable, Hashable {
    /// The source of an answer.
    public typealias Source = TrustResource.Source

    /// The bytes. Nothing about them is validated.
    public let bytes: [UInt8]
    /// The source of the bytes.
    public let source: Source
    /// The failure of fetching the resource again, for which an older answer is used; nil if it didn't have to be
    /// fetched again.
    public let refreshFailure: TrustResourceError?
    /// The failure of the cache; nil if there is none, or if it wasn't read.
    public let cacheFailure: TrustResourceCacheError?

    /// The parsed bytes.
    let contents: ResourceContents?

    init(
        _ bytes: [UInt8], _ contents: ResourceContents?, _ source: Source, refreshFailure: TrustResourceError? = nil,
        cacheFailure: TrustResourceCacheError? = nil
    ) {
        self.bytes = bytes
        self.contents = contents
        self.source = source
        self.refreshFailure = refreshFailure
        self.cacheFailure = cacheFailure
    }
}
