// SPDX-License-Identifier: Apache-2.0

/// A setting in a file that doesn't concern pins, such as `cleartextTrafficPermitted` or `kTSKSwizzleNetworkDelegates`.
///
/// The setting can be written back in its own format. No other format has it, so a conversion reports it as lost.
package struct PinSetting: Sendable, Hashable, CustomStringConvertible {
    /// The format that the setting belongs to.
    package var format: PinFormat
    /// The key, or the path of keys.
    package var key: String
    /// The value as text: `true`, `false`, a number, or any other string.
    package var value: String

    /// Creates a setting of a format from its key and its value.
    package init(_ format: PinFormat, _ key: String, _ value: String) {
        self.format = format
        self.key = key
        self.value = value
    }

    /// `KEY = VALUE`
    package var description: String { "\(key) = \(value)" }
}
