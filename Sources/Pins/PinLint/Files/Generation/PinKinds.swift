// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustPins

/// The kinds of keys, determined from certificates: leaf keys and CA keys.
package struct PinKinds: Sendable {
    private var scopes: [SPKIPin: PinScope] = [:]

    /// Creates the kinds for objects. A key without a certificate counts as a leaf's backup key.
    package init(_ objects: [PinSource.Origin]) {
        for object in objects {
            switch object {
            case .certificate(let certificate):
                let isAuthority = certificate.basicConstraints?.isCertificateAuthority == true
                scopes[SPKIPin(certificate)] = isAuthority ? .authority : .leaf
            case .publicKey(let key): add(SPKIPin(key))
            case .certificateRequest(let request): add(SPKIPin(request.subjectPublicKeyInfo))
            }
        }
    }

    private mutating func add(_ reserve: SPKIPin) {
        if scopes[reserve] == nil { scopes[reserve] = .leaf }
    }

    fileprivate func scope(_ key: SPKIPin) -> PinScope? { scopes[key] }
}

extension PinConfiguration {
    /// Returns the configuration with narrower scopes: pins that count anywhere become pins only for leaves or only for
    /// CAs.
    /// - Returns: the configuration, the guessed pins and the unclear pins. A pin with an unknown key is guessed if all
    ///   known pins of its rule have one kind. If the known pins have both kinds, or if none is known, the pin is
    ///   unclear and keeps its scope.
    package func scoped(
        _ kinds: PinKinds
    ) -> (configuration: PinConfiguration, guessed: [SPKIPin], unclear: [SPKIPin]) {
        var (guessed, unclear): ([SPKIPin], [SPKIPin]) = ([], [])
        let rules = rules.map { rule -> PinRule in
            let known = Set(rule.pins.filter { $0.scope == .anywhere }.compactMap { kinds.scope($0.key) })
            let pins = rule.pins.map { pin -> Pin in
                guard pin.scope == .anywhere else { return pin }
                var pin = pin
                if let scope = kinds.scope(pin.key) {
                    pin.scope = scope
                } else if let scope = known.first, known.count == 1 {
                    pin.scope = scope
                    guessed.append(pin.key)
                } else {
                    unclear.append(pin.key)
                }
                return pin
            }
            return (try? rule.with(pins: pins)) ?? rule
        }
        return (with(rules: rules) ?? self, guessed, unclear)
    }
}
