// SPDX-License-Identifier: Apache-2.0

import TrustSupport

/// A problem in a file: a stable code, a sentence, and a remedy.
package struct InspectionProblem: Error, Sendable, Hashable {
    /// The kind of problem. Raw values are stable. The set is complete.
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
        // Objects that are not the expected ones.
        case unexpectedKind
        case trustRejected
        // Encryption.
        case passphraseRequired
        case passphraseWrong
        case passphraseLost
        case encryptionNotSupported
        case iterationsOverLimit
        // Limits.
        case tooManyObjects
        case tooDeep
    }

    /// The code.
    package let code: Code
    /// The kind of object that it is about; nil for none.
    package let kind: ObjectKind?
    /// The problem in one sentence without a full stop, printable and bounded; the wording may change.
    package let text: String
    /// The measure to take, often a command; nil for none.
    package let remedy: String?
    /// The line of the text, from 1; nil for none.
    package let line: Int?
    /// The column in bytes, from 1; nil for none.
    package let column: Int?

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

extension InspectionProblem: CustomStringConvertible {
    /// One line for people; its wording may change.
    package var description: String {
        switch (line, column) {
        case (let line?, let column?): "line \(line), column \(column): \(text)"
        case (let line?, nil): "line \(line): \(text)"
        default: text
        }
    }
}
