// SPDX-License-Identifier: Apache-2.0

/// A key of a JSON object with any name.
struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
