// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Gets what certificates point to over HTTP: missing issuers, CRLs, OCSP responses.
///
/// The one thing that trust needs from the network. An adapter implements it over its client and does a single exchange: one
/// request, redirects followed, limits kept. What is asked for, how often and for how long it holds is decided by whoever asks.
///
/// Addresses come from certificates, which anybody may have written. An implementation refuses every scheme but `http` and
/// `https`, and addresses that the app has not allowed (loopback, link-local and private ones by default), redirects included.
/// Nothing that is fetched is trusted for having been fetched; what is fetched over `https` isn't either.
public protocol TrustFetcher: Sendable {
    /// One exchange.
    /// - Throws: ``TrustFetchError``; `CancellationError` never: a cancelled fetch throws ``TrustFetchError/Reason/cancelled``.
    func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse
}

/// What is to be fetched, and within which limits.
public struct TrustFetchRequest: Sendable, Hashable {
    public typealias Resource = TrustResource.Kind

    public var resource: Resource
    /// As it stands in the certificate; not looked at yet.
    public var url: String
    /// An OCSP request to be sent with POST; nil for GET.
    public var body: [UInt8]?
    /// Most bytes of body that are taken; more is ``TrustFetchError/Reason/tooLarge``.
    public var maximumBytes: Int
    /// Most redirects that are followed.
    public var maximumRedirects: Int
    /// From now to the last byte, redirects included.
    public var timeout: Duration

    /// - Parameters:
    ///   - resource: what it is for.
    ///   - url: as it stands in the certificate.
    ///   - body: an OCSP request to be sent with POST; nil, unless given, for GET.
    ///   - maximumBytes: 64 KiB for issuers and OCSP, 32 MiB for CRLs, unless given.
    ///   - maximumRedirects: 3 unless given.
    ///   - timeout: 5 seconds unless given.
    public init(
        _ resource: Resource, url: String, body: [UInt8]? = nil, maximumBytes: Int? = nil, maximumRedirects: Int = 3,
        timeout: Duration = .seconds(5)
    ) {
        self.resource = resource
        self.url = url
        self.body = body
        self.maximumBytes = maximumBytes ?? (resource == .crl ? 32 << 20 : 64 << 10)
        self.maximumRedirects = maximumRedirects
        self.timeout = timeout
    }
}

/// What came back: the body of a response with status 200.
public struct TrustFetchResponse: Sendable, Hashable {
    public var body: [UInt8]
    /// Seconds for which a cache may keep it, as the server says (`cache-control: max-age`, else `expires`); nil if it doesn't.
    /// A hint: what the body itself says about its time goes first.
    public var maximumAge: Int?

    public init(body: [UInt8], maximumAge: Int? = nil) {
        self.body = body
        self.maximumAge = maximumAge
    }
}
