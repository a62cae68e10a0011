// SPDX-License-Identifier: Apache-2.0

/// A tree to write as a property list or JSON. Members keep their order. Comments are written if the format supports
/// them.
package indirect enum PinTree {
    case dictionary([(key: String, comment: String?, value: PinTree)])
    case array([(comment: String?, value: PinTree)])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case data([UInt8])

    /// Returns a dictionary without comments. Members without a value are left out.
    package static func object(_ members: KeyValuePairs<String, PinTree?>) -> PinTree {
        .dictionary(members.compactMap { member in member.value.map { (member.key, nil, $0) } })
    }

    package static func list(_ elements: [PinTree]) -> PinTree { .array(elements.map { (nil, $0) }) }
}
