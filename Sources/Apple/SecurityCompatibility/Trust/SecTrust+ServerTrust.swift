// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import PKIX
import ServerTrust

// On Apple platforms, ServerTrust declares the same functions for the system's SecTrust.

extension Trust {
    /// Creates the trust object for a `SecTrust`, such as the one in a server trust challenge. It takes over the
    /// certificates, anchors, date, exceptions, CRLs, OCSP responses and revocation checks. `host` sets the name.
    /// Names and purposes in policies don't count.
    ///
    /// Not checked: whether `secTrust` was created for `host`.
    public init(_ secTrust: SecTrust, host: Hostname) {
        var settings = secTrust.settingsWithoutPolicies
        settings.identity = .connectedHost
        self.init(presentedChain: secTrust.presentedChain, host: host, settings: settings)
    }
}

extension ServerTrustManager {
    /// Evaluates by the rule for the host, and emits the verdict (the result) as events.
    public func evaluate(_ secTrust: SecTrust, host: Hostname) -> TrustVerdict {
        evaluate(Trust(secTrust, host: host))
    }

    /// Evaluates, and returns the verdict on a trusted server.
    /// - Throws: ``/ServerTrust/TrustRefusal`` with the verdict on an untrusted server.
    @discardableResult
    public func requireTrust(_ secTrust: SecTrust, host: Hostname) throws(TrustRefusal) -> TrustVerdict {
        try requireTrust(Trust(secTrust, host: host))
    }
}

extension TrustEvaluator {
    /// Evaluates with this evaluator's requirements.
    public func evaluate(_ secTrust: SecTrust, host: Hostname) -> TrustVerdict {
        evaluate(Trust(secTrust, host: host))
    }

    /// Evaluates, and returns the verdict on a trusted server.
    /// - Throws: ``/ServerTrust/TrustRefusal`` with the verdict on an untrusted server.
    @discardableResult
    public func requireTrust(_ secTrust: SecTrust, host: Hostname) throws(TrustRefusal) -> TrustVerdict {
        try requireTrust(Trust(secTrust, host: host))
    }
}
#endif
