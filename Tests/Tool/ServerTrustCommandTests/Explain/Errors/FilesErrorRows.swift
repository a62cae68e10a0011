// SPDX-License-Identifier: Apache-2.0

extension ErrorRow {
    /// The errors of readers of files, folders and lists.
    static let files: [ErrorRow] = []
}
