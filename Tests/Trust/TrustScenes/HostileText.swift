// SPDX-License-Identifier: Apache-2.0

/// A string with a name that test lists show instead of the string.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    package let text: String

    package init(_ name: String, _ text: String) {
        description = name
        self.text = text
    }
}
