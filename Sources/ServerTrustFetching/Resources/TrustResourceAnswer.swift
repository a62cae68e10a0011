// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A resource's bytes, and where they come from.
public struct TrustResourceAnswer: Sendable, Hashable {
    public typealias Source = TrustResource.Source

    /// Nothing about them is believed.
    public let bytes: [UInt8]
    public let source: Source
    /// Why something older serves, although it should have been fetched anew; nil if it didn't have to be.
    public let refreshFailure: TrustResourceError?
    /// What is wrong with the cache; nil if nothing is, or if it wasn't asked.
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
