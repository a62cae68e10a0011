// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    /// A challenge that records which forms of a method a delegate has. The protocols' default implementations inform it.
    package protocol ObservedChallenge: AnyObject {
        /// Whether the delegate has answered the challenge already, by a method with a completion handler.
        var isRepeated: Bool { get }
        /// The class has no method with a completion handler, and its `async` method answers.
        func recordAsyncForm()
        /// The class has no `async` method.
        func recordMissingMethod()
    }
#endif
