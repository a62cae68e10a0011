// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import PKIX
import ServerTrust

/// A policy of a trust object, with everything that its evaluation needs.
struct TrustRequirement: Sendable {
    let trust: Trust
    /// The name in the policy, if it is neither a host name nor an address. No certificate is valid for such a
    /// name.
    var unreadableName: String?

    func evaluate() -> TrustVerdict { refusal ?? trust.evaluate() }

    func evaluateFetching() async -> TrustVerdict {
        if let refusal { return refusal }
        return await trust.evaluateFetching()
    }

    private var refusal: TrustVerdict? {
        unreadableName.map { name in
            trust.refused([TrustFailure(.hostMismatch, certificate: 0, role: .leaf, expected: .text(name))])
        }
    }
}

extension SecTrust.State {
    /// The policies with a name or a purpose, each with a trust object; never empty. The certificates have to
    /// satisfy all of them.
    var requirements: [TrustRequirement] {
        guard let policies else { return [requirement(nil, settings)] }
        let settings = settingsWithRevocation
        let main = policies.map(\.kind).filter { $0.revocationFlags == nil }
        return (main.isEmpty ? [.basicX509] : main).map { requirement($0, settings) }
    }

    /// The settings, combined with the revocation checks of all policies. No policy relaxes another policy or the
    /// settings. If the program has allowed fetching, that overrides the ban in a policy, but not the ban in the
    /// settings.
    var settingsWithRevocation: TrustSettings {
        let flags = (policies ?? []).compactMap(\.kind.revocationFlags).map { flags -> CFOptionFlags in
            let any = kSecRevocationUseAnyAvailableMethod
            let flags = isNetworkFetchAllowed == true ? flags & ~kSecRevocationNetworkAccessDisabled : flags
            return flags & any == 0 ? flags | any : flags
        }
        guard !flags.isEmpty else { return settings }
        let all = flags.reduce(settings.revocation.flags ?? 0, |)
        var settings = settings
        settings.revocation.set(all)
        return settings
    }

    private func requirement(_ kind: SecPolicy.Kind?, _ base: TrustSettings) -> TrustRequirement {
        var settings = base
        if !allowsNetworkFetch { settings.fetching = nil }
        var name: Hostname?
        var unreadableName: String?
        switch kind {
        case .ssl(let server, let text):
            settings.policy.purpose = server ? .serverAuth : .clientAuth
            settings.identity = .insecurelyAnyName
            if let text {
                name = try? Hostname(text)
                if let name { settings.identity = .name(name) } else { unreadableName = text }
            }
        case .basicX509:
            // A client that requires no purpose keeps its profile when a program copies its policies and sets them
            // again.
            if settings.policy.purpose != .any { settings.policy.profile = .rfc5280 }
            settings.policy.purpose = .any
            settings.identity = .insecurelyAnyName
        case .revocation, nil: break
        }
        let trust = Trust(presentedChain: presentedChain, optionalHost: host ?? name, settings: settings)
        return TrustRequirement(trust: trust, unreadableName: unreadableName)
    }
}

extension SecTrust.State {
    /// The current policies, as policies of the Security framework.
    var currentPolicies: [SecPolicy] {
        if let policies { return policies }
        var current: [SecPolicy] = []
        switch settings.policy.purpose {
        case .serverAuth, .clientAuth:
            let name = Trust(presentedChain: presentedChain, optionalHost: host, settings: settings).referenceName
            current.append(
                SecPolicyCreateSSL(settings.policy.purpose == .serverAuth, name?.description))
        case .any: current.append(SecPolicyCreateBasicX509())
        }
        if let flags = settings.revocation.flags { current.append(SecPolicy(.revocation(flags))) }
        return current
    }
}

extension RevocationPolicy {
    /// The policy as `kSecRevocation…`, or nil if revocation isn't checked.
    fileprivate var flags: CFOptionFlags? { SystemRevocation(self).map { CFOptionFlags($0.rawValue) } }

    /// Applies all flags to the whole path. Neither OCSP nor CRLs means both. Ages stay, and so does a ban on
    /// fetching.
    fileprivate mutating func set(_ flags: CFOptionFlags) {
        let methods: [(CFOptionFlags, Sources)] = [
            (kSecRevocationOCSPMethod, .ocsp), (kSecRevocationCRLMethod, .crls),
        ]
        mode = flags & kSecRevocationRequirePositiveResponse != 0 ? .required : .bestEffort
        sources = Sources(methods.filter { flags & $0.0 != 0 }.map(\.1))
        if sources.isEmpty { sources = .all }
        scope = .path
        prefersCRLs = flags & kSecRevocationPreferCRL != 0
        if flags & kSecRevocationNetworkAccessDisabled != 0 { fetching = false }
    }
}
#endif
