// SPDX-License-Identifier: Apache-2.0

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
    package let text: String
    /// The next step to take, often a command, if any.
    package let remedy: String?
    /// The line in the text, from 1, if known.
    let line: Int?
    /// The column in bytes, from 1, if known.
    let column: Int?

    package init(
        _ code: Code, _ text: String, kind: ObjectKind? = nil, remedy: String? = nil, line: Int? = nil,
        column: Int? = nil
    ) {
        self.code = code
        self.kind = kind
        self.text = text
        self.remedy = remedy
        self.line = line
        self.column = column
    }
}

extension InspectionProblem {
    /// Returns the problem of a structure whose length says more bytes than it has, or nil for any other bytes.
    /// - Parameter object: the structure in words.
    static func cutOff(
        _ object: String, _ der: [UInt8], kind: ObjectKind? = nil,
        remedy: String = "copy the file again, in binary mode"
    ) -> InspectionProblem? {
        guard let value = TLV(der[...]), value.isTruncated else { return nil }
        return InspectionProblem(
            .truncated, "\(object) that is cut off: its length says \(value.statedEnd) bytes, but it has \(der.count)",
            kind: kind, remedy: remedy)
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
