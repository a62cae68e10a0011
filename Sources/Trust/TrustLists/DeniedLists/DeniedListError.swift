// SPDX-License-Identifier: Apache-2.0

/// An error in a list of denied certificates. A list with an error is never used in part.
public struct DeniedListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file; nil for bytes in memory.
    package var file: String?
    /// The place in the list, such as `data[3].serialNumber` or `byte 1024`; nil if the error is about the whole list.
    package let place: String?
    /// The problem, with the expected form.
    package let problem: String

    init(_ place: String? = nil, _ problem: String) {
        self.place = place
        self.problem = problem
    }

    /// Creates an error of the JSON of a list.
    init(_ error: RootListError, in part: String? = nil) {
        let line = error.line.map { "line \($0)" }
        self.init(part.map { part in line.map { "\(part), \($0)" } ?? part } ?? line, error.problem)
    }

    /// One line for people; its wording may change.
    public var description: String { [file, place, problem].compactMap { $0 }.joined(separator: ": ") }
}
