// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustSupport

/// The error of a resource that could not be obtained: an issuer's certificate, a CRL, an OCSP response. Its codes begin with `fetch`.
public struct TrustFetchError: TrustError, Hashable {
    /// The kind of error.
    public let code: ErrorCode
    /// The address of the resource, or of the failed request after redirects; without user and password.
    public let url: String
    /// Details for people; the wording may change. For `ErrorCode.fetchStatus` it is the status.
    public let detail: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: one of the codes that begin with `fetch`.
    ///   - url: the address of the failed request.
    ///   - detail: details for people; for `ErrorCode.fetchStatus` the status.
    public init(_ code: ErrorCode, url: String, detail: String = "") {
        self.code = code
        self.url = withoutUserInformation(url)
        self.detail = detail
    }

    /// The status of the response, for `ErrorCode.fetchStatus` with a status as its detail.
    public var status: Int? { code == .fetchStatus ? Int(detail) : nil }

    public var message: String { "\(url): \(reportedName)\(detail.isEmpty ? "" : " (\(detail))")" }
}

extension TrustFetchError {
    /// The name of the code in records, findings about revocation and the command's output: `timedOut` for `fetchTimedOut`.
    package var reportedName: String {
        guard code.name.hasPrefix(Self.prefix) else { return code.name }
        let rest = code.name.dropFirst(Self.prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// Creates the error of a record, whose name may be one of a later version.
    init(reportedName name: String, url: String, detail: String) {
        self.init(
            ErrorCode("\(Self.prefix)\(name.prefix(1).uppercased())\(name.dropFirst())"), url: url, detail: detail)
    }

    private static let prefix = "fetch"
}

extension ErrorCode {
    /// The address of the resource is not `http` or `https`, or can't be parsed.
    public static let fetchUnsupportedAddress = ErrorCode("fetchUnsupportedAddress")
    /// The address of the resource is one that the app has not permitted: loopback, link-local, private.
    public static let fetchForbiddenAddress = ErrorCode("fetchForbiddenAddress")
    /// No connection for the resource could be established, because of DNS, TCP or TLS.
    public static let fetchUnreachable = ErrorCode("fetchUnreachable")
    /// The response has another status than 200.
    public static let fetchStatus = ErrorCode("fetchStatus")
    /// The response is larger than the limit.
    public static let fetchTooLarge = ErrorCode("fetchTooLarge")
    /// The response is another redirect after the largest number of redirects.
    public static let fetchTooManyRedirects = ErrorCode("fetchTooManyRedirects")
    /// The fetch, or the whole evaluation, took too long.
    public static let fetchTimedOut = ErrorCode("fetchTimedOut")
    /// The fetch was canceled, or every evaluation that requested it has ended.
    public static let fetchCancelled = ErrorCode("fetchCancelled")
    /// The server violated HTTP, or ended the response early.
    public static let fetchProtocolViolation = ErrorCode("fetchProtocolViolation")

    // Of the resource that was fetched, or wasn't.
    /// The fetch failed recently and is not repeated yet.
    package static let fetchBackingOff = ErrorCode("fetchBackingOff")
    /// The response is not a certificate, CRL or OCSP response, as its kind requires.
    package static let fetchMalformed = ErrorCode("fetchMalformed")
    /// The resource has expired, or isn't valid yet.
    package static let fetchOutOfDate = ErrorCode("fetchOutOfDate")
    /// The resource is older than an earlier one: a replay, or a server that lags behind.
    package static let fetchOlderThanKnown = ErrorCode("fetchOlderThanKnown")
    /// The network may not be used for the resource, and no cache has it.
    package static let fetchNotCached = ErrorCode("fetchNotCached")
    /// The resource was evaluated and refused, for example because of its signer.
    package static let fetchRefused = ErrorCode("fetchRefused")
}
