// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import FoundationNetworking

    extension URLSession {
        /// Foundation's `delegate`. In ServerTrustURLSession that name stands for a property of its own.
        package var foundationDelegate: (any FoundationNetworking.URLSessionDelegate)? { delegate }
    }

    extension URLSessionTask {
        /// Foundation's `delegate`. In ServerTrustURLSession that name stands for a property of its own.
        package var foundationDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
            get { delegate }
            set { delegate = newValue }
        }
    }
#endif
