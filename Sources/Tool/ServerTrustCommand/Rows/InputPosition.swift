// SPDX-License-Identifier: Apache-2.0

/// A position between two rows of the input, where a run can resume.
struct InputPosition: Codable, Equatable, Sendable {
    /// The index of the file, starting at 0.
    var file = 0
    /// The number of decompressed bytes before the position in the file.
    var offset = 0
    /// The number of line ends before the position in the file.
    var line = 0
}
