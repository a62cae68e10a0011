// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folder Pins.
    static let pins: [ErrorGuide] = []
}
