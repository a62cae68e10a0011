// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    // A name that comes by an import of one declaration takes precedence over the same name of a whole module. So these names stand for this
    // package's protocols in files that import FoundationNetworking as well. That works across modules alone, hence the module for them.
    @_exported import protocol SessionDelegates.URLSessionDataDelegate
    @_exported import protocol SessionDelegates.URLSessionDelegate
    @_exported import protocol SessionDelegates.URLSessionDownloadDelegate
    @_exported import protocol SessionDelegates.URLSessionTaskDelegate
    @_exported import protocol SessionDelegates.URLSessionWebSocketDelegate
    import FoundationNetworking
    import SessionDelegates

    // Code that takes a delegate back from a session and names its type compiled before the names changed their meaning, and still does.

    extension URLSession {
        /// The delegate as this package's `URLSessionDelegate`; nil if it doesn't conform to that. Where the context asks for no type, `delegate`
        /// is Foundation's property.
        @_disfavoredOverload
        public var delegate: (any URLSessionDelegate)? { foundationDelegate as? any URLSessionDelegate }
    }

    extension URLSessionTask {
        /// The delegate as this package's `URLSessionTaskDelegate`; nil if it doesn't conform to that. Where the context asks for no type,
        /// `delegate` is Foundation's property.
        @_disfavoredOverload
        public var delegate: (any URLSessionTaskDelegate)? { foundationDelegate as? any URLSessionTaskDelegate }
    }
#endif
