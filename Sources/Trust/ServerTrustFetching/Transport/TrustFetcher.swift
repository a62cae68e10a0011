// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A transport that fetches the resources that certificates point to over HTTP: missing issuers, CRLs, OCSP responses.
///
/// An adapter implements it with its HTTP client and does a single exchange: one request, redirects followed, limits
/// kept. ``TrustFetchCoordinator`` decides which resources are fetched, how often, and how long they are kept.
///
/// Addresses come from certificates, which an attacker may have written. An implementation refuses every scheme but
/// `http` and `https`, and addresses that the app has not allowed (loopback, link-local and private ones by default),
/// redirects included. Fetched bytes have no trust from being fetched, over `https` neither.
public protocol TrustFetcher: Sendable {
    /// Does one exchange.
    /// - Throws: `TrustFetchError`; `CancellationError` never: a canceled fetch throws
    ///   `ErrorCode.fetchCancelled`.
    func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse
}

/// The request for one resource, with the limits of its exchange.
public struct TrustFetchRequest: Sendable, Hashable {
    /// The kind of the resource; for metrics and logs.
    public var resource: TrustResource.Kind
    /// The address as it stands in the certificate; not checked yet.
    public var url: String
    /// An OCSP request to be sent with POST; nil for GET.
    public var body: [UInt8]?
    /// The largest body, in bytes; a larger one is `ErrorCode.fetchTooLarge`.
    public var maximumBytes: Int
    /// The largest number of redirects.
    public var maximumRedirects: Int
    /// The time from now to the last byte, redirects included.
    public var timeout: Duration
    /// The validators of bytes that are at hand, for a conditional request; nil, the default, for none. A fetcher may ignore them.
    package var validators: TrustResourceValidators?

    /// Creates a request.
    /// - Parameters:
    ///   - resource: the kind of the resource.
    ///   - url: the address as it stands in the certificate.
    ///   - body: an OCSP request to be sent with POST; nil, unless given, for GET.
    ///   - maximumBytes: 64 KiB for issuers and OCSP, 32 MiB for CRLs, unless given.
    ///   - maximumRedirects: 3 unless given.
    ///   - timeout: 5 seconds unless given.
    package init(
        _ resource: TrustResource.Kind, url: String, body: [UInt8]? = nil, maximumBytes: Int? = nil,
        maximumRedirects: Int = 3,
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

/// The body of a response with status 200.
public struct TrustFetchResponse: Sendable, Hashable {
    /// The body, without transfer or content encodings.
    public var body: [UInt8]
    /// The lifetime that the server gives to caches (`cache-control: max-age`, else `expires`); nil if it gives
    /// none. A hint: the dates in the body go first.
    public var maximumAge: Duration?
    /// The validators of the body; nil, the default, for none.
    package var validators: TrustResourceValidators?
    /// Whether the bytes that the request's validators belong to are still current (status 304); the body is empty then. False by default.
    package var isNotModified = false

    /// Creates a response.
    /// - Parameters:
    ///   - body: the body.
    ///   - maximumAge: the lifetime that the server gives to caches; nil, unless given, for none.
    public init(body: [UInt8], maximumAge: Duration? = nil) {
        self.body = body
        self.maximumAge = maximumAge
    }
}
