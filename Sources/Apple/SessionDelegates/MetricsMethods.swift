// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import PKIX

/// The classes of delegates that are known to have no method for metrics.
///
/// Swift can't tell whether a class has the method. The default implementation, which runs in its place, records
/// the class. From then on, a session collects nothing for it.
package enum MetricsMethods {
    private static let lacking = Locked<Set<ObjectIdentifier>>([])

    static func recordMissing(in delegate: any URLSessionTaskDelegate) {
        lacking.withLock { _ = $0.insert(ObjectIdentifier(type(of: delegate))) }
    }

    /// Whether the class of a delegate is known to have no method for metrics.
    package static func isMissing(in delegate: any URLSessionTaskDelegate) -> Bool {
        lacking.withLock { $0.contains(ObjectIdentifier(type(of: delegate))) }
    }
}
#endif
