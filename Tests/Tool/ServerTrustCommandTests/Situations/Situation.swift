// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// A situation from a public bug report, rebuilt: files, a command, and the expected answer.
///
/// The whole text of the answer is in `Golden/Situations`, so that a change of a headline or a remedy shows in a review.
struct Situation: Sendable, CustomTestStringConvertible {
    /// The part of the answer that programs read.
    enum Answer: Sendable {
        /// A verdict with the codes of its failures, in order; none for a trusted chain.
        case verdict([String])
        /// The rules of the findings about files of pins, in order.
        case findings([String])
        /// An error on standard error, without a report.
        case error
    }

    /// The sentence that the answer has to give.
    let testDescription: String
    /// The name of the file in `Golden/Situations`, without its extension.
    let file: String
    /// The repository and the number of the report.
    let source: String
    /// The arguments, with the names of ``files``. The verify date of the tests is added if they have no `--time`.
    let arguments: [String]
    /// The exit status.
    let status: Int32
    let answer: Answer
    /// Returns the files of the folder in which the command runs.
    let files: @Sendable () throws -> [String: Data]

    init(
        _ description: String, file: String, source: String, _ arguments: [String], status: Int32, _ answer: Answer,
        files: @escaping @Sendable () throws -> [String: Data]
    ) {
        self.testDescription = description
        self.file = file
        self.source = source
        self.arguments = arguments
        self.status = status
        self.answer = answer
        self.files = files
    }

    static let all = paths + names + clients + revocation + unreadable + pins

    /// The arguments of the run.
    var command: [String] { arguments + (arguments.contains("--time") ? [] : ["--time", Lab.time]) }

    // MARK: - Parts of rows

    /// The arguments for `chain.pem` and `root.pem`.
    static func verify(_ more: String...) -> [String] {
        ["verify", "chain.pem", "--anchors", "root.pem"] + more
    }

    /// Returns `chain.pem` and `root.pem` for a leaf of an authority.
    static func chain(_ leaf: TestIdentity, of authority: TestAuthority) -> [String: Data] {
        ["chain.pem": text(authority.chain(leaf)), "root.pem": text(authority.path.suffix(1))]
    }

    /// Returns certificates in PEM.
    static func text(_ certificates: some Sequence<Certificate>) -> Data {
        Data(certificates.map(\.pem).joined().utf8)
    }
}
