// SPDX-License-Identifier: Apache-2.0

/// A client that sends pin failure reports. This library has no transport.
///
/// <doc:DownloadingListsAndReporting> shows a sender that uses HTTP.
///
/// Don't follow redirects. Their target could be a host that must not receive the report (``PinReporter``).
public protocol ReportSender: Sendable {
    /// Sends one POST request with this body.
    /// - Throws: any error, including for a response other than 2xx. The reporter then keeps the report and sends it
    ///   later.
    func post(_ body: [UInt8], contentType: String, to url: String) async throws
}
