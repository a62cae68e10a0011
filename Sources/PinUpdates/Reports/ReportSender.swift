// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Carries a report to where it is collected. An adapter's few lines; this layer knows no transport.
///
/// <doc:DownloadingListsAndReporting> shows one over HTTP.
///
/// Don't follow redirects: they could lead to a host that must not be asked (``PinReporter``).
public protocol ReportSender: Sendable {
    /// Sends a POST with this body, once.
    /// - Throws: whatever went wrong, an answer that isn't 2xx among it. The report is kept then, and sent later.
    func post(_ body: [UInt8], contentType: String, to url: String) async throws
}
