// SPDX-License-Identifier: Apache-2.0

extension ErrorRow {
    /// The errors of the folder Pins.
    static let pins: [ErrorRow] = []
}
