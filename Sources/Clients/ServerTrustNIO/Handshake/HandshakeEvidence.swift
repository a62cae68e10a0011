// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import ServerTrust

/// The OCSP staple and the timestamps of one connection's handshake, requested before it and read at the verdict.
///
/// A NIOSSL of another layout yields neither, and the chain says so. Nothing is read while `VerdictSource.readsStaples` is off.
final class HandshakeEvidence {
    private let layout: NIOSSLInternals.Layout?
    /// The handler has this object, by its verification callback.
    private weak var handler: NIOSSLHandler?
    private var gap: NIOSSLLayoutError?

    /// - Parameter layout: nil to request and read nothing.
    init(layout: NIOSSLInternals.Layout?) { self.layout = layout }

    /// Has a handler that is in no pipeline yet ask its server.
    func request(by handler: NIOSSLHandler) {
        guard let layout else { return }
        self.handler = handler
        do throws(NIOSSLLayoutError) {
            try NIOSSLInternals(handler, layout: layout).requestEvidence()
        } catch {
            gap = error
        }
    }

    /// Returns the chain for the verdict, at the time of NIOSSL's verification.
    /// - Parameter presented: leaf first, as NIOSSL passes it.
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
        chain.evidenceGap = gap.map { "no OCSP staple and no timestamps of the handshake: \($0)" }
        return chain
    }
}

extension PresentedChain {
    /// Creates the chain of a connection whose handshake isn't read.
    /// - Parameter presented: leaf first, as NIOSSL passes it. A certificate without bytes is passed on as one that can't be read.
    init(presented: [NIOSSLCertificate]) { self.init(der: presented.map { (try? $0.toDERBytes()) ?? [] }) }
}
