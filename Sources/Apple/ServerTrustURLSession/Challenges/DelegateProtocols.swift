// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
// A name imported by a declaration import takes precedence over the same name of a whole imported module. So these
// names mean this package's protocols even in files that also import FoundationNetworking. This only works across
// modules, so the protocols have a separate module.
@_exported import class SessionDelegates.URLSessionTaskMetrics
@_exported import class SessionDelegates.URLSessionTaskTransactionMetrics
@_exported import protocol SessionDelegates.URLSessionDataDelegate
@_exported import protocol SessionDelegates.URLSessionDelegate
@_exported import protocol SessionDelegates.URLSessionDownloadDelegate
@_exported import protocol SessionDelegates.URLSessionTaskDelegate
@_exported import protocol SessionDelegates.URLSessionWebSocketDelegate
import FoundationNetworking
import SessionDelegates

// Code that reads a session's delegate and names its type compiled before these names changed their meaning. These
// properties keep it compiling.

extension URLSession {
    /// The delegate as this package's `URLSessionDelegate`, or nil if it doesn't conform to that protocol. If the
    /// context requires no type, `delegate` is Foundation's property.
    @_disfavoredOverload
    public var delegate: (any URLSessionDelegate)? { foundationDelegate as? any URLSessionDelegate }
}

extension URLSessionTask {
    /// The delegate as this package's `URLSessionTaskDelegate`, or nil if it doesn't conform to that protocol. If
    /// the context requires no type, `delegate` is Foundation's property.
    @_disfavoredOverload
    public var delegate: (any URLSessionTaskDelegate)? { foundationDelegate as? any URLSessionTaskDelegate }
}
#endif
