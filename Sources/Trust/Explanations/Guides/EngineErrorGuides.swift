// SPDX-License-Identifier: Apache-2.0

extension ErrorGuide {
    /// The guides to errors of the engine.
    static let engine: [ErrorGuide] = []
}
