// SPDX-License-Identifier: Apache-2.0

extension PEM {
    /// The error for a malformed object of a text. Other objects of the text may be valid. Its codes begin with `pem`.
    public struct BlockError: TrustError, Hashable {
        /// The kind of error.
        public let code: ErrorCode
        /// The label after BEGIN.
        public let label: String
        /// The label after END, if it differs.
        package let endLabel: String?
        /// The number of the object in the text, starting at 1.
        public let object: Int
        /// The position of the error in the text, in bytes.
        public let offset: Int

        init(_ code: ErrorCode, label: String, endLabel: String? = nil, object: Int, offset: Int) {
            self.code = code
            self.label = label
            self.endLabel = endLabel
            self.object = object
            self.offset = offset
        }

        public var message: String {
            let what =
                switch code {
                case .pemNotTerminated: "no \"-----END \(label)-----\" line"
                case .pemLabelMismatch: "ends as \"\(endLabel ?? "")\""
                case .pemHasHeaders: "has RFC 1421 headers (encrypted?)"
                default: "not base64"
                }
            return "PEM object \(object) (\(label)): \(what) at byte \(offset)"
        }
    }
}

extension ErrorCode {
    /// The PEM object has no END line before the next BEGIN line or the end of the text.
    package static let pemNotTerminated = ErrorCode("pemNotTerminated")
    /// The labels in the BEGIN and END lines of the PEM object differ.
    static let pemLabelMismatch = ErrorCode("pemLabelMismatch")
    /// The PEM object has a byte that isn't base64, or wrong padding.
    static let pemNotBase64 = ErrorCode("pemNotBase64")
    /// The PEM object has header lines such as `Proc-Type` (RFC 1421), so it may be encrypted.
    static let pemHasHeaders = ErrorCode("pemHasHeaders")
}
