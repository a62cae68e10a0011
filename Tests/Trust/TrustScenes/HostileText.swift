// SPDX-License-Identifier: Apache-2.0

/// A text with a name that lists of tests show in its place.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    package let text: String

    package init(_ name: String, _ text: String) {
        description = name
        self.text = text
    }
}
