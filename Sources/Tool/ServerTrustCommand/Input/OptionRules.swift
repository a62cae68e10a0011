// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Throws the message of the first broken rule.
/// - Parameter rules: whether a rule is broken, and the message that says so.
func refuse(_ rules: [(isBroken: Bool, message: String)]) throws {
    if let broken = rules.first(where: \.isBroken) { throw ValidationError(broken.message) }
}
