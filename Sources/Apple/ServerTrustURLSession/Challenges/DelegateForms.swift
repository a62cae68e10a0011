// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import SessionDelegates

    /// The facts about a delegate's challenge methods that can be known.
    ///
    /// Swift on Linux doesn't tell whether an object has a method. It tells whether its class conforms to a protocol, and whether the superclass
    /// does. The default implementations of this package's protocols tell that a method is missing. Foundation's protocols tell nothing: an
    /// `async` method beside them can't be called.
    enum DelegateForms {
        /// Throws for a delegate whose `async` methods couldn't be called: one that conforms to Foundation's protocols alone, at either level.
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

        /// Throws for a class that inherits its conformance from one that conforms to Foundation's protocols alone: Swift calls Foundation's default
        /// implementation then, not the methods of the subclass.
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
                        "\(Swift.type(of: delegate)) inherits the conformance of \(type) to Foundation's protocol; import ServerTrustURLSession in the file that declares \(type)"
                    )
                }
                current = _getSuperclass(type)
            }
        }

        /// The error for a delegate that has answered a challenge by no method of its own, if its class may have one that can't be called; else nil.
        ///
        /// That is a class whose superclass conforms already: Swift looks for the methods in the superclass alone.
        static func hiddenMethod(
            ofSessionLevel delegate: any FoundationNetworking.URLSessionDelegate, at url: URL
        ) -> URLError? {
            guard superclass(of: delegate) is any SessionDelegates.URLSessionDelegate.Type else { return nil }
            return inherited(delegate, at: url)
        }

        /// As above, about the task-level method.
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
                "\(type(of: delegate)) inherits its conformance; declare the method in the class that conforms, and override it"
            )
        }
    }
#endif
