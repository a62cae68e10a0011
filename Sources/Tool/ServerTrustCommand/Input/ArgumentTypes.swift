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
    { text in try checkingUsage { try make(text) } }
}

/// Runs `body`, and turns its error into a usage error with the same message.
func checkingUsage<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw ValidationError("\(error)") }
}
