// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

// The names that `import Security` and `import Foundation` have on Apple platforms, in one module.
@_exported import Foundation
@_exported import ServerTrustURLSession

#if canImport(Darwin)
@_exported import Security
#else
// Apps import it in bridging headers.
@_exported import CommonCryptoCompatibility
@_exported import FoundationNetworking
@_exported import SecurityCompatibility
// Imported by name, so that they take precedence over Foundation's.
@_exported import class SessionDelegates.URLSessionTaskMetrics
@_exported import class SessionDelegates.URLSessionTaskTransactionMetrics
@_exported import protocol SessionDelegates.URLSessionDataDelegate
@_exported import protocol SessionDelegates.URLSessionDelegate
@_exported import protocol SessionDelegates.URLSessionDownloadDelegate
@_exported import protocol SessionDelegates.URLSessionTaskDelegate
@_exported import protocol SessionDelegates.URLSessionWebSocketDelegate
#endif

#endif
