// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import SessionDelegates

/// Checks for the challenge methods that a delegate has, as far as Swift can find them.
///
/// On Linux, Swift can't tell whether an object has a method. It can tell whether its class conforms to a protocol,
/// and whether the superclass does. The default implementations of this package's protocols record that a method is
/// missing. Foundation's protocols record nothing: an `async` method declared next to them can't be called.
enum DelegateForms {
    /// Throws if the session couldn't call the delegate's `async` methods. That is so if the delegate only conforms
    /// to Foundation's protocols, at the session level or the task level.
    static func requireVisible(
        _ delegate: (any FoundationNetworking.URLSessionDelegate)?, at url: URL?
    ) throws(URLError) {
        guard let delegate else { return }
        let isTaskDelegate = delegate is any FoundationNetworking.URLSessionTaskDelegate
        guard delegate is any SessionDelegates.URLSessionDelegate,
            !isTaskDelegate || delegate is any SessionDelegates.URLSessionTaskDelegate
        else {
            throw SessionError.unsupported(
                .delegate, at: url,
                "\(type(of: delegate)) conforms to Foundation's protocol; import ServerTrustURLSession in the file that declares it"
            )
        }
        try requireVisible(superclassesOf: delegate, at: url)
    }

    /// Throws if a class inherits its conformance from a class that only conforms to Foundation's protocols. Swift
    /// would then call Foundation's default implementation, not the methods of the subclass.
    private static func requireVisible(
        superclassesOf delegate: any FoundationNetworking.URLSessionDelegate, at url: URL?
    ) throws(URLError) {
        var current: AnyClass? = superclass(of: delegate)
        while let type = current {
            guard
                !(type is any FoundationNetworking.URLSessionDelegate.Type)
                    || type is any SessionDelegates.URLSessionDelegate.Type,
                !(type is any FoundationNetworking.URLSessionTaskDelegate.Type)
                    || type is any SessionDelegates.URLSessionTaskDelegate.Type
            else {
                throw SessionError.unsupported(
                    .delegate, at: url,
                    "\(Swift.type(of: delegate)) inherits from \(type), which conforms to Foundation's protocol; import ServerTrustURLSession in the file that declares \(type)"
                )
            }
            current = _getSuperclass(type)
        }
    }

    /// Returns an error if a delegate hasn't answered a challenge with its own method but its class may have a
    /// method that can't be called. Otherwise returns nil.
    ///
    /// A class may have such a method if its superclass already conforms: Swift then only looks for the methods in
    /// the superclass.
    static func hiddenMethod(
        ofSessionLevel delegate: any FoundationNetworking.URLSessionDelegate, at url: URL
    ) -> URLError? {
        guard superclass(of: delegate) is any SessionDelegates.URLSessionDelegate.Type else { return nil }
        return inherited(delegate, at: url)
    }

    /// Returns the same error for the task-level method.
    static func hiddenMethod(
        ofTaskLevel delegate: any FoundationNetworking.URLSessionTaskDelegate, at url: URL
    ) -> URLError? {
        guard superclass(of: delegate) is any SessionDelegates.URLSessionTaskDelegate.Type else { return nil }
        return inherited(delegate, at: url)
    }

    private static func superclass(of delegate: any FoundationNetworking.URLSessionDelegate) -> AnyClass? {
        _getSuperclass(type(of: delegate))
    }

    private static func inherited(
        _ delegate: any FoundationNetworking.URLSessionDelegate, at url: URL
    ) -> URLError {
        SessionError.unsupported(
            .delegate, at: url,
            "\(type(of: delegate)) inherits its conformance; declare the method in the class that conforms, and override it in the subclass"
        )
    }
}
#endif
