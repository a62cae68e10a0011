// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folder Trust, apart from files.
    static let trust: [ErrorGuide] = []
}
