// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

// Arguments become the engine's types while they are parsed; a text that is none ends as a usage error with the type's own words.

extension ValidationPolicy.Profile: ExpressibleByArgument {}
extension ValidationPolicy.Purpose: ExpressibleByArgument {}
extension SPKIPinsTrustEvaluator.Scope: ExpressibleByArgument {}

/// For options that are read by a throwing initialiser: `@Option(transform: reading(Hostname.init))`.
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
