// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A problem in a file: a stable code, a sentence, and a remedy.
package struct InspectionProblem: Error, Sendable, Hashable {
    /// The kind of problem. Raw values are stable. The list is complete.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        // The file as a whole.
        case empty
        case blank
        case fileMissing
        case fileUnreadable
        case folder
        case tooLarge
        // Files of other kinds.
        case htmlPage
        case xml
        case json
        case sshPublicKey
        case sshPrivateKey
        case puttyKey
        case pgp
        case ageKey
        case zip
        case compressed
        case javaKeyStore
        case database
        case executable
        case image
        case pdf
        case pinList
        case address
        case text
        case binary
        case unknownStructure
        // PEM and other texts.
        case pemEndMissing
        case pemEndMismatch
        case pemBeginMissing
        case pemDashes
        case pemHeaders
        case pemNotBase64
        case pemCutOff
        case pemEmpty
        case pemLabelUnknown
        case notBase64
        // DER.
        case truncated
        case trailingBytes
        case indefiniteLength
        case malformed
        case mislabelled
        // Objects of unexpected kinds.
        case unexpectedKind
        case trustRejected
        // Encryption.
        case passphraseRequired
        case passphraseWrong
        case encryptionNotSupported
        case iterationsOverLimit
        // Limits.
        case tooManyObjects
        case tooDeep
    }

    /// The code.
    package let code: Code
    /// The kind of object that has the problem, if known.
    package let kind: ObjectKind?
    /// The problem in one sentence without a full stop, printable and limited in length. The wording may change.
    package private(set) var text: String
    /// The next step to take, often a command, if any.
    package let remedy: String?
    /// The line in the text, from 1, if known.
    let line: Int?
    /// The column in bytes, from 1, if known.
    let column: Int?
    /// The error of the object's parser, or nil for bytes that can't be decoded and for DER with another structure.
    package let error: DERError?

    /// The texts by code and variant.
    static let texts = Book(packed: PackedProblems.texts)

    /// Creates a problem with its text and its remedy from the book.
    /// - Parameters:
    ///   - variant: the variant of a code with several texts.
    ///   - values: the values of the names in braces in the text. `{object}` is the kind.
    package init(
        _ code: Code, of variant: String? = nil, _ values: [String: String] = [:], kind: ObjectKind? = nil,
        line: Int? = nil, column: Int? = nil, error: DERError? = nil
    ) {
        let entry = variant.flatMap { Self.texts["\(code.rawValue) \($0)"] } ?? Self.texts[code.rawValue]
        let values = values.merging(["object": kind?.words ?? "an object"]) { given, _ in given }
        self.code = code
        self.kind = kind
        text = entry?["words"].filling(values) ?? code.rawValue
        remedy = entry?.all("remedy").first
        self.line = line
        self.column = column
        self.error = error
    }

    /// Returns the problem, followed by the kind of object that was expected.
    func expecting(_ expected: ObjectKind) -> InspectionProblem {
        var problem = self
        problem.text += ", expected \(expected.words) in PEM or DER"
        return problem
    }
}

extension InspectionProblem {
    /// Returns the problem of a structure whose length says more bytes than it has, or nil for any other bytes.
    static func cutOff(
        _ der: [UInt8], of variant: String? = nil, kind: ObjectKind? = nil, error: DERError? = nil
    ) -> InspectionProblem? {
        guard let value = TLV(der[...]), value.isTruncated else { return nil }
        let values = ["stated": "\(value.statedEnd)", "count": "\(der.count)"]
        return InspectionProblem(.truncated, of: variant, values, kind: kind, error: error)
    }
}

extension InspectionProblem: CustomStringConvertible {
    /// One line for people. The wording may change.
    package var description: String {
        switch (line, column) {
        case (let line?, let column?): "line \(line), column \(column): \(text)"
        case (let line?, nil): "line \(line): \(text)"
        default: text
        }
    }
}
