// SPDX-License-Identifier: Apache-2.0

import PKIX
// For all files of the target. The fuzz target has no modules of this package. It omits this file and includes the
// sources of TrustSupport/TLS instead.
@_exported import ServerTrust

extension HandshakeProbe {
    /// Creates a probe that verifies signatures with the leaf's key.
    package init(_ offer: ProbeOffer, secrets: ProbeSecrets = ProbeSecrets()) {
        self.init(offer, secrets: secrets) { request in
            guard let leaf = try? Certificate(der: request.leaf) else { return .notChecked }
            return
                switch leaf.handshakeSignature(
                    request.signature, over: request.message, scheme: request.scheme.rawValue,
                    bindsCurve: request.bindsCurve)
            {
            case .valid: .valid
            case .invalid: .invalid
            case .notSupported: .notChecked
            }
        }
    }
}
