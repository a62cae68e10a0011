// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Logs one line for each request of a task.
final class MetricsLog: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: the lock guards the lines.
    private let lock = NSLock()
    private var logged: [String] = []

    var lines: [String] { lock.withLock { logged } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        let lines = metrics.transactionMetrics.filter { $0.resourceFetchType == .networkLoad }.map(line)
        let total = metrics.taskInterval.duration < 0 ? "negative" : "measured"
        lock.withLock { logged += lines + ["\(metrics.redirectCount) redirects, \(total)"] }
    }

    private func line(_ metrics: URLSessionTaskTransactionMetrics) -> String {
        var parts = [metrics.networkProtocolName ?? "unknown protocol"]
        if let response = metrics.response as? HTTPURLResponse { parts.append("\(response.statusCode)") }
        parts.append(metrics.isReusedConnection ? "reused" : "new")
        if let address = metrics.remoteAddress, let port: Int = metrics.remotePort, port > 0 { parts.append(address) }
        if metrics.negotiatedTLSProtocolVersion == .TLSv13 { parts.append("TLS 1.3") }
        if let start = metrics.domainLookupStartDate, let end = metrics.domainLookupEndDate {
            parts.append("lookup \(end.timeIntervalSince(start))")
        }
        if let start = metrics.requestStartDate, let end = metrics.responseEndDate, start <= end {
            parts.append("answered")
        }
        return parts.joined(separator: ", ")
    }
}
