// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

// Parsing turns arguments into the engine's types. An invalid text is a usage error with the message of the type.

extension ValidationPolicy.Profile: ExpressibleByArgument {}
extension ValidationPolicy.Purpose: ExpressibleByArgument {}
extension SPKIPinsTrustEvaluator.Scope: ExpressibleByArgument {}

/// Returns a transform for an option whose type has a throwing initializer: `@Option(transform:
/// reading(Hostname.init))`.
func reading<Value, Failure: Error & CustomStringConvertible>(
    _ make: @escaping @Sendable (String) throws(Failure) -> Value
) -> @Sendable (String) throws -> Value {
    { text in
        do {
            return try make(text)
        } catch {
            throw ValidationError(String(describing: error))
        }
    }
}
