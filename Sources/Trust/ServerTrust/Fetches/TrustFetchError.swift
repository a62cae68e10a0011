// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error of a resource that couldn't be fetched: an issuer's certificate, a CRL or an OCSP response. Its codes
/// begin with `fetch`.
public struct TrustFetchError: TrustError, Hashable {
    /// The kind of error.
    public let code: ErrorCode
    /// The address of the resource, or of the failed request after redirects. Doesn't contain the user and password.
    public let url: String
    /// Details for people. The wording may change. For `ErrorCode.fetchStatus`, it's the status.
    public let detail: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: one of the codes that begin with `fetch`.
    ///   - url: the address of the failed request.
    ///   - detail: details for people. For `ErrorCode.fetchStatus`, pass the status.
    public init(_ code: ErrorCode, url: String, detail: String = "") {
        self.code = code
        self.url = withoutUserInformation(url)
        self.detail = detail
    }

    /// The status of the response, for `ErrorCode.fetchStatus` whose detail is a status. Otherwise nil.
    public var status: Int? { code == .fetchStatus ? Int(detail) : nil }

    public var message: String { "\(url): \(reportedName)\(detail.isEmpty ? "" : " (\(detail))")" }
}

extension TrustFetchError {
    /// The name of the code in records, revocation findings and the command's output, such as `timedOut` for
    /// `fetchTimedOut`.
    package var reportedName: String {
        guard code.name.hasPrefix(Self.prefix) else { return code.name }
        let rest = code.name.dropFirst(Self.prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// The address and the details, on one line: `http://crl.example.com/ca.crl: 404`.
    var place: String {
        let words = detail.isEmpty ? "" : ": \(detail.abridged(toBytes: 128))"
        return DistinguishedName.printable(url.abridged(toBytes: 256) + words)
    }

    /// Creates the error of a record. Its name may come from a later version.
    init(reportedName name: String, url: String, detail: String) {
        self.init(
            ErrorCode("\(Self.prefix)\(name.prefix(1).uppercased())\(name.dropFirst())"), url: url, detail: detail)
    }

    private static let prefix = "fetch"
}

extension ErrorCode {
    /// The address of the resource isn't an `http` or `https` address, or can't be parsed.
    public static let fetchUnsupportedAddress = ErrorCode("fetchUnsupportedAddress")
    /// The app hasn't allowed the address of the resource: loopback, link-local or private.
    public static let fetchForbiddenAddress = ErrorCode("fetchForbiddenAddress")
    /// The client couldn't connect to the resource's server, because of DNS, TCP or TLS.
    public static let fetchUnreachable = ErrorCode("fetchUnreachable")
    /// The response's status isn't 200.
    public static let fetchStatus = ErrorCode("fetchStatus")
    /// The response is larger than the limit.
    public static let fetchTooLarge = ErrorCode("fetchTooLarge")
    /// The response is a redirect, but the client has already followed the maximum number of redirects.
    public static let fetchTooManyRedirects = ErrorCode("fetchTooManyRedirects")
    /// The fetch or the whole evaluation took too long.
    public static let fetchTimedOut = ErrorCode("fetchTimedOut")
    /// The fetch was canceled, or every evaluation that requested it has ended.
    public static let fetchCancelled = ErrorCode("fetchCancelled")
    /// The server violated HTTP or ended the response early.
    public static let fetchProtocolViolation = ErrorCode("fetchProtocolViolation")

    // Codes about the resource, whether it was fetched or not.
    /// The fetch failed recently and is not repeated yet.
    static let fetchBackingOff = ErrorCode("fetchBackingOff")
    /// The response isn't the certificate, CRL or OCSP response that the request was for.
    static let fetchMalformed = ErrorCode("fetchMalformed")
    /// The resource has expired or isn't valid yet.
    static let fetchOutOfDate = ErrorCode("fetchOutOfDate")
    /// The resource is older than one that was fetched before. The response is a replay, or the server lags behind.
    static let fetchOlderThanKnown = ErrorCode("fetchOlderThanKnown")
    /// No cache has the resource, and the policy doesn't allow the network.
    static let fetchNotCached = ErrorCode("fetchNotCached")
    /// An evaluation refused the resource, for example because of its signer.
    static let fetchRefused = ErrorCode("fetchRefused")
}
