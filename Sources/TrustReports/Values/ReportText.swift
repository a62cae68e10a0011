// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// The form of untrusted texts in reports.
package enum ReportText {
    /// The maximum number of scalars of a value.
    static let maximumSize = 2048

    /// Returns a text on one line, without characters that steer a display, of at most `maximum` scalars.
    package static func shown(_ text: String, to maximum: Int = maximumSize) -> String { clipped(text, to: maximum) }
}
