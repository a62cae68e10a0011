// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Foundation's class of the same name, which no session on Linux fills in.
///
/// In a file that imports ServerTrustURLSession, the name means this class. Your delegate receives it in
/// `urlSession(_:task:didFinishCollecting:)`.
public final class URLSessionTaskMetrics: NSObject, Sendable {
    /// The ways to get a resource.
    public typealias ResourceFetchType = FoundationNetworking.URLSessionTaskMetrics.ResourceFetchType

    /// One element for each request that the session tried to send, and for each response from the cache, in order.
    /// A request that the session repeats on a new connection is one element. Empty if the task ended before the
    /// first one.
    public let transactionMetrics: [URLSessionTaskTransactionMetrics]
    /// The time from the first `resume()` to the end of the task. On Apple platforms, the interval begins when the
    /// task is created.
    public let taskInterval: DateInterval
    /// The number of redirects that the task has followed.
    public let redirectCount: Int

    package init(
        _ transactionMetrics: [URLSessionTaskTransactionMetrics], taskInterval: DateInterval, redirectCount: Int
    ) {
        self.transactionMetrics = transactionMetrics
        self.taskInterval = taskInterval
        self.redirectCount = redirectCount
    }
}
#endif
