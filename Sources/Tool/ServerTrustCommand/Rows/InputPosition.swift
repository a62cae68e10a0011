// SPDX-License-Identifier: Apache-2.0

/// A place between two rows of the input, at which a run can go on.
struct InputPosition: Codable, Equatable, Sendable {
    /// The number of the file, from 0.
    var file = 0
    /// The bytes before it in the file, decompressed; for a folder the number of files before it.
    var offset = 0
    /// The line ends before it in the file; for a folder the number of files before it.
    var line = 0
}
