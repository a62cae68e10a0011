// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of readers of files and folders.
    static let files: [ErrorGuide] = []
}
