// SPDX-License-Identifier: Apache-2.0

import PinModel

/// A client that sends reports; this library knows no transport.
///
/// <doc:DownloadingListsAndReporting> shows one over HTTP.
///
/// Don't follow redirects: they could lead to a host that must not receive the report (``PinReporter``).
public protocol ReportSender: Sendable {
    /// Sends a POST with this body, once.
    /// - Throws: any error, also for a response other than 2xx. The report is then kept, and sent later.
    func post(_ body: [UInt8], contentType: String, to url: String) async throws
}
