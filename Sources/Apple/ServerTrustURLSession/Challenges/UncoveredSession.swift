// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Logging
import PKIX
import ServerTrust

/// Reports sessions without a server trust policy whose delegates nevertheless answer challenges about servers.
///
/// On Linux, Foundation's own sessions never ask a delegate about a server. Such a delegate looks like a check but
/// isn't one.
enum UncoveredSession {
    private static let hasLogged = Locked(false)

    /// Whether this process has logged a warning.
    static var isReported: Bool { hasLogged.withLock { $0 } }

    /// Logs a warning, once per process.
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
