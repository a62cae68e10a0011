/// Carries a report to where it is collected. An adapter's few lines; this layer knows no transport.
///
/// ```swift
/// struct HTTPReportSender: ReportSender {
///     let client: TrustedHTTPClient
///     func post(_ body: [UInt8], contentType: String, to url: String) async throws {
///         var request = HTTPClientRequest(url: url)
///         request.method = .POST
///         request.headers.add(name: "content-type", value: contentType)
///         request.body = .bytes(body)
///         let response = try await client.execute(request, timeout: .seconds(30))
///         guard (200..<300).contains(response.status.code) else { throw ReportRefused(response.status) }
///     }
/// }
/// ```
/// Don't follow redirects: they could lead to a host that must not be asked (``PinReporter``).
public protocol ReportSender: Sendable {
    /// Sends a POST with this body, once.
    /// - Throws: whatever went wrong, an answer that isn't 2xx among it. The report is kept then, and sent later.
    func post(_ body: [UInt8], contentType: String, to url: String) async throws
}
