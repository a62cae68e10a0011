// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOSSL

/// The TLS contexts of the connections whose handshake includes the verdict.
struct TLSContexts: Sendable {
    /// The context that offers HTTP/1.1.
    let usual: NIOSSLContext
    /// The context without a certificate to present.
    let anonymous: NIOSSLContext
    /// The context that also offers HTTP/2.
    let exploring: NIOSSLContext
    let exploringAnonymous: NIOSSLContext

    func context(isAnonymous: Bool, isExploring: Bool) -> NIOSSLContext {
        switch (isAnonymous, isExploring) {
        case (false, false): usual
        case (true, false): anonymous
        case (false, true): exploring
        case (true, true): exploringAnonymous
        }
    }
}

extension TLSContexts {
    /// - Throws: `ServerTrustContextError` and NIOSSL's errors.
    init(_ configuration: TrustedHTTPConfiguration) throws {
        usual = try configuration.context()
        // Contexts take memory, so this code doesn't create a context that equals another one or that no connection
        // would use.
        anonymous = configuration.hasIdentity ? try configuration.context(isAnonymous: true) : usual
        exploring = configuration.hasHTTP2 ? try configuration.context(isExploring: true) : usual
        exploringAnonymous =
            !configuration.hasHTTP2
            ? anonymous
            : configuration.hasIdentity ? try configuration.context(isAnonymous: true, isExploring: true) : exploring
    }
}

#endif
