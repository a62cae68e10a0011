// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOSSL
import ServerTrust

/// The OCSP staple and the timestamps of one connection's handshake. They are requested before the handshake and read
/// at the verdict.
///
/// If NIOSSL has a different layout, there is neither a staple nor a timestamp, and the chain records this. Nothing is
/// read if `VerdictSource.readsStaples` is off.
final class HandshakeEvidence {
    private let layout: NIOSSLInternals.Layout?
    /// The handler owns this object through its verification callback, so this reference is weak.
    private weak var handler: NIOSSLHandler?
    private var gap: NIOSSLLayoutError?

    /// - Parameter layout: nil to request and read nothing.
    init(layout: NIOSSLInternals.Layout?) { self.layout = layout }

    /// Requests the evidence from a handler's server. The handler must not be in a pipeline yet.
    func request(by handler: NIOSSLHandler) {
        guard let layout else { return }
        self.handler = handler
        do throws(NIOSSLLayoutError) {
            try NIOSSLInternals(handler, layout: layout).requestEvidence()
        } catch {
            gap = error
        }
    }

    /// Returns the chain for the verdict. Call it during NIOSSL's verification.
    /// - Parameter presented: the certificates as NIOSSL passes them, leaf first.
    func chain(of presented: [NIOSSLCertificate]) -> PresentedChain {
        var chain = PresentedChain(presented: presented)
        if gap == nil, let handler, let layout {
            do throws(NIOSSLLayoutError) {
                let internals = try NIOSSLInternals(handler, layout: layout)
                chain.staple = internals.staple.map { .given($0) } ?? .none
                chain.signedCertificateTimestampList = internals.timestampList
            } catch {
                gap = error
            }
        }
        chain.evidenceGap = gap.map { "the handshake's OCSP staple and timestamps can't be read: \($0)" }
        return chain
    }
}

extension PresentedChain {
    /// Creates the chain of a connection without evidence from its handshake.
    /// - Parameter presented: the certificates as NIOSSL passes them, leaf first. A certificate without bytes becomes
    ///   one that can't be parsed.
    init(presented: [NIOSSLCertificate]) { self.init(der: presented.map { (try? $0.toDERBytes()) ?? [] }) }
}

#endif
