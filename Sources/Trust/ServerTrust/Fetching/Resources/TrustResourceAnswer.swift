// SPDX-License-Identifier: Apache-2.0

/// The bytes of a resource and their source.
package struct TrustResourceAnswer: Sendable, Hashable {
    /// The bytes. They aren't validated.
    let bytes: [UInt8]
    /// The source of the bytes.
    let source: TrustResource.Source
    /// The error of fetching the resource again, which is why this older answer is used. Nil if the resource didn't
    /// have to be fetched again.
    let refreshFailure: TrustFetchError?
    /// The error of the cache, or nil if it didn't fail or wasn't read.
    let cacheFailure: TrustResourceCacheError?

    /// The parsed bytes.
    let contents: ResourceContents?

    init(
        _ bytes: [UInt8], _ contents: ResourceContents?, _ source: TrustResource.Source,
        refreshFailure: TrustFetchError? = nil,
        cacheFailure: TrustResourceCacheError? = nil
    ) {
        self.bytes = bytes
        self.contents = contents
        self.source = source
        self.refreshFailure = refreshFailure
        self.cacheFailure = cacheFailure
    }
}
