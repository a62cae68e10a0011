// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Logging
    import PKIX
    import ServerTrust

    /// Reports sessions that have no server trust policy, and whose delegates answer for servers all the same.
    ///
    /// Foundation's own sessions on Linux never ask a delegate about a server. Such a delegate looks like a check and isn't one.
    enum UncoveredSession {
        private static let hasLogged = Locked(false)

        /// Whether a warning was logged in this process.
        static var isReported: Bool { hasLogged.withLock { $0 } }

        /// Logs a warning, once in a process.
        static func report() {
            let isFirst = hasLogged.withLock { hasLogged in
                defer { hasLogged = true }
                return !hasLogged
            }
            guard isFirst else { return }
            Logger(label: "ServerTrustURLSession").warning(
                "\(ServerTrustConfigurationWarning.sessionWithoutPolicy.description)")
        }
    }
#endif
