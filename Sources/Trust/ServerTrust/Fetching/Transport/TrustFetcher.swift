// SPDX-License-Identifier: Apache-2.0

/// A transport that fetches resources named by certificates over HTTP: missing issuers, CRLs and OCSP responses.
///
/// An adapter implements it with its HTTP client and performs a single exchange: it sends one request, follows
/// redirects and applies the limits. ``TrustFetchCoordinator`` decides which resources to fetch, how often, and how
/// long to keep them.
///
/// Addresses come from certificates, which an attacker may have written. An implementation must refuse every scheme
/// except `http` and `https`, and all addresses that the app doesn't allow (loopback, link-local and private addresses
/// by default). Both rules also apply to redirects. Fetched bytes aren't trusted, not even if they were fetched over
/// `https`.
public protocol TrustFetcher: Sendable {
    /// Performs one exchange.
    /// - Throws: `TrustFetchError`, never `CancellationError`. A canceled fetch throws `ErrorCode.fetchCancelled`.
    func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse
}

/// The request for one resource, with the limits of its exchange.
public struct TrustFetchRequest: Sendable, Hashable {
    /// The kind of the resource, for metrics and logs.
    public var resource: TrustResource.Kind
    /// The unchecked address as it is written in the certificate.
    public var url: String
    /// The OCSP request to send with POST, or nil for GET.
    public var body: [UInt8]?
    /// The maximum size of the body, in bytes. A larger body is `ErrorCode.fetchTooLarge`.
    public var maximumBytes: Int
    /// The maximum number of redirects.
    public var maximumRedirects: Int
    /// The time from now to the last byte, including redirects.
    public var timeout: Duration
    /// The validators of bytes that the caller already has, for a conditional request. Nil by default. A fetcher may
    /// ignore them.
    package var validators: TrustResourceValidators?

    /// Creates a request.
    /// - Parameters:
    ///   - resource: the kind of the resource.
    ///   - url: the address as it is written in the certificate.
    ///   - body: the OCSP request to send with POST, or nil (the default) for GET.
    ///   - maximumBytes: the maximum size of the body. The default is 64 KiB for issuers and OCSP, and 32 MiB for CRLs.
    ///   - maximumRedirects: the maximum number of redirects. The default is 3.
    ///   - timeout: the time to the last byte. The default is 5 seconds.
    init(
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
    /// The lifetime that the server states for caches (`cache-control: max-age`, else `expires`), or nil if it states
    /// none. This is a hint: the dates in the body take precedence.
    public var maximumAge: Duration?
    /// The validators of the body. Nil by default.
    package var validators: TrustResourceValidators?
    /// Whether the bytes that the request's validators belong to are still current (status 304). If true, the body is
    /// empty. The default is false.
    package var isNotModified = false

    /// Creates a response.
    /// - Parameters:
    ///   - body: the body.
    ///   - maximumAge: the lifetime that the server states for caches, or nil (the default) if it states none.
    public init(body: [UInt8], maximumAge: Duration? = nil) {
        self.body = body
        self.maximumAge = maximumAge
    }
}
