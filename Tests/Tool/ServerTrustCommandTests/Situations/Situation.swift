// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing

/// A recreated situation from a public bug report: files, a command, and the expected answer.
///
/// `Golden/Situations` contains the whole text of the answer, so that a review shows every change to a headline or a
/// remedy.
struct Situation: Sendable, CustomTestStringConvertible {
    /// The machine-readable part of the answer.
    enum Answer: Sendable {
        /// A verdict with the codes of its failures, in order, or no codes for a trusted chain.
        case verdict([String])
        /// The rules of the findings for pin files, in order.
        case findings([String])
        /// An error on standard error, without a report.
        case error
    }

    /// The lesson that the answer must convey.
    let testDescription: String
    /// The name of the file in `Golden/Situations`, without its extension.
    let file: String
    /// The repository and the number of the report.
    let source: String
    /// The arguments, with the names of ``files``. If they don't contain `--time`, the tests add their verify date.
    let arguments: [String]
    /// The exit status.
    let status: Int32
    let answer: Answer
    /// Returns the files in the working directory of the command.
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

    static let all =
        paths + authorities + names + clients + revocation + unreadable + pins + advice

    /// The arguments of the run.
    var command: [String] { arguments + (arguments.contains("--time") ? [] : ["--time", Lab.time]) }

    // MARK: - Parts of rows

    /// The arguments for `chain.pem` and `root.pem`.
    static func verify(_ more: String...) -> [String] {
        ["verify", "chain.pem", "--anchors", "root.pem"] + more
    }

    /// Returns `chain.pem` and `root.pem` for a leaf that an authority issued.
    static func chain(_ leaf: TestIdentity, of authority: TestAuthority) -> [String: Data] {
        ["chain.pem": text(authority.chain(leaf)), "root.pem": text(authority.path.suffix(1))]
    }

    /// Returns certificates as PEM.
    static func text(_ certificates: some Sequence<Certificate>) -> Data {
        Data(certificates.map(\.pem).joined().utf8)
    }
}
