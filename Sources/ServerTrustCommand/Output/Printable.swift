// SPDX-License-Identifier: Apache-2.0

/// `text` without anything that could steer a terminal or reorder what is read on it: certificates are written by strangers.
///
/// Control characters, and format characters such as those that turn the direction of writing, become `\u{…}`.
func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { !isPrintable($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isPrintable(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
    return result
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20, scalar.value < 0x7f { return true }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
}
