// SPDX-License-Identifier: Apache-2.0

/// Returns a number with its noun: `1 certificate`, `2 certificates`.
/// - Parameter plural: the plural. The default is `noun` with an s.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}
