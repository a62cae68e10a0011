// SPDX-License-Identifier: Apache-2.0

extension ErrorRow {
    /// The errors of the folders Clients and Apple.
    static let clients: [ErrorRow] = []
}
