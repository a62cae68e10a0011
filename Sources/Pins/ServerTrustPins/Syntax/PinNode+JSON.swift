// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinNode {
    /// Parses JSON in UTF-8.
    /// - Throws: ``PinFileError`` with the line of the syntax error.
    package init(json bytes: [UInt8], file: String) throws(PinFileError) {
        try PinFileError.checkSize(bytes, of: file)
        do throws(JSONError) {
            self.init(
                try JSONValue(
                    parsing: bytes, maximumDepth: Self.maximumDepth, maximumCount: Self.maximumCount,
                    repeatedKeys: .kept))
        } catch let problem {
            let code: ErrorCode = problem.isTooLarge ? .pinFileTooLarge : .pinFileUnreadable
            throw PinFileError(code, in: file, line: problem.line, problem.detail)
        }
    }

    private init(_ json: JSONValue) {
        let value: Value =
            switch json.content {
            case .object(let members):
                .dictionary(members.map { Member(key: $0.key, node: PinNode($0.value)) })
            case .array(let elements): .array(elements.map { PinNode($0) })
            case .string(let text): .string(text)
            case .number(let digits): .number(digits)
            case .boolean(let value): .boolean(value)
            case .null: .null
            }
        self.init(value, line: json.line)
    }
}
