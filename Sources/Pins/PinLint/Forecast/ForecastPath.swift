// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

/// A path after a change of its certificates, leaf first, as far as its keys are known.
struct ForecastPath {
    /// A certificate of the path.
    enum Element {
        /// A certificate that isn't known, with a key that isn't.
        case unknown
        /// A certificate that isn't known, with a key that is.
        case key(SPKIPin)
        /// A certificate that stays, or that follows.
        case certificate(Certificate)
    }

    let elements: [Element]

    /// Returns the scopes of a rule of which the path meets no pin. Elements that aren't known meet none.
    func missingScopes(of rule: PinRule) -> [PinScope] {
        rule.scopes.filter { scope in !rule.pins.contains { $0.scope == scope && meets($0) } }
    }

    private func meets(_ pin: Pin) -> Bool {
        elements[pin.scope.indices(count: elements.count)].contains { element in
            switch element {
            case .unknown: false
            // A certificate that is pinned byte for byte isn't one that is only issued later.
            case .key(let key): pin.value == .key(key)
            case .certificate(let certificate): pin.matches(certificate)
            }
        }
    }
}
