// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension URLSession {
        /// Evaluates the servers of this session's open connections anew, by the rules as they are now, and closes the connections
        /// to those that aren't trusted any more. Tasks on them fail as they do for a server that was refused at once.
        ///
        /// ```swift
        /// manager.replaceRules(by: stricter, denied: nil)
        /// await session.reevaluateServerTrust()
        /// ```
        /// To be called when something changed that the rules depend on: a connection is evaluated when it is made, and used for
        /// hours. Returns when the connections are closed.
        ///
        /// Delegates are asked beside a task, as always. A connection that a delegate had a say in, and whose host no task is waiting
        /// for at the moment, has no delegate to call: it is closed, the next task's delegate is called, and tasks on it fail.
        ///
        /// **Not touched:** answers that are in the cache already (`URLCache.removeAllCachedResponses()`), credentials and cookies.
        /// A session without `withServerTrust(_:)` has nothing to evaluate.
        public func reevaluateServerTrust() async {
            await (configuration as? ServerTrustSessionConfiguration)?.state.reevaluate()
        }
    }
#endif
