// SPDX-License-Identifier: Apache-2.0

/// Something in a file that has nothing to do with pins and is kept for the day on which the file is written again:
/// `cleartextTrafficPermitted`, `kTSKSwizzleNetworkDelegates`. No other format has it; a conversion names it as lost.
public struct PinSetting: Sendable, Hashable, CustomStringConvertible {
    /// The format it belongs to.
    public var format: PinFormat
    /// Its key, or the path of keys.
    public var key: String
    /// Its value as text: `true`, `false`, a number, a text.
    public var value: String

    public init(_ format: PinFormat, _ key: String, _ value: String) {
        self.format = format
        self.key = key
        self.value = value
    }

    public var description: String { "\(key) = \(value)" }
}
