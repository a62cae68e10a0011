// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// A path after a change to its certificates, leaf first, as far as its keys are known.
package struct ForecastPath {
    /// A certificate of the path.
    package enum Element {
        /// An unknown certificate with an unknown key.
        case unknown
        /// An unknown certificate with a known key.
        case key(SPKIPin)
        /// A certificate that stays, or a known successor.
        case certificate(Certificate)
    }

    let elements: [Element]

    package init(elements: [Element]) { self.elements = elements }

    /// Returns the scopes of a rule for which the path matches no pin. Unknown elements match no pin.
    package func missingScopes(of rule: PinRule) -> [PinScope] {
        rule.scopes.filter { scope in !rule.pins.contains { $0.scope == scope && meets($0) } }
    }

    private func meets(_ pin: Pin) -> Bool {
        elements[pin.scope.indices(count: elements.count)].contains { element in
            switch element {
            case .unknown: false
            // A certificate that is pinned byte for byte can't be a certificate that will be issued later.
            case .key(let key): pin.value == .key(key)
            case .certificate(let certificate): pin.matches(certificate)
            }
        }
    }
}
