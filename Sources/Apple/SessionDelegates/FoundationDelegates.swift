// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import FoundationNetworking

extension URLSession {
    /// Foundation's `delegate`. In ServerTrustURLSession, this name means a property of that module.
    package var foundationDelegate: (any FoundationNetworking.URLSessionDelegate)? { delegate }
}

extension URLSessionTask {
    /// Foundation's `delegate`. In ServerTrustURLSession, this name means a property of that module.
    package var foundationDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        get { delegate }
        set { delegate = newValue }
    }
}
#endif
