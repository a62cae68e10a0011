// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the folders Clients and Apple.
    static let clients: [ErrorGuide] = connections
}
