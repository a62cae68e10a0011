// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// The TLS contexts of a client's connections whose handshake has the verdict.
struct TLSContexts: Sendable {
    /// Offers HTTP/1.1.
    let usual: NIOSSLContext
    /// Has no certificate to show.
    let anonymous: NIOSSLContext
    /// Offer HTTP/2 as well.
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
    /// - Throws: `ServerTrustContextError`, and NIOSSL's errors.
    init(_ configuration: TrustedHTTPConfiguration) throws {
        usual = try configuration.context()
        // Contexts take memory: none is made that is like another one, or that no connection gets.
        anonymous = configuration.hasIdentity ? try configuration.context(isAnonymous: true) : usual
        exploring = configuration.hasHTTP2 ? try configuration.context(isExploring: true) : usual
        exploringAnonymous =
            !configuration.hasHTTP2
            ? anonymous
            : configuration.hasIdentity ? try configuration.context(isAnonymous: true, isExploring: true) : exploring
    }

    /// One context for all.
    init(_ context: NIOSSLContext) {
        (usual, anonymous, exploring, exploringAnonymous) = (context, context, context, context)
    }
}
