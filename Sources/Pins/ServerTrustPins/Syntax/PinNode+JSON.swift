// SPDX-License-Identifier: Apache-2.0

import ServerTrust

extension PinNode {
    /// Parses JSON in UTF-8.
    /// - Throws: ``PinFileError`` with the line of the syntax error.
    package init(json bytes: [UInt8], file: String) throws(PinFileError) {
        func error(_ code: ErrorCode, _ line: Int?, _ detail: String) -> PinFileError {
            PinFileError(PinFileProblem(code, at: PinFileLocation(file: file, line: line), detail))
        }
        guard bytes.count <= PinConfiguration.maximumFileSize else {
            throw error(.pinFileTooLarge, nil, "over \(PinConfiguration.maximumFileSize >> 20) MiB")
        }
        do throws(JSONError) {
            self.init(
                try JSONValue(
                    parsing: bytes, maximumDepth: Self.maximumDepth, maximumCount: Self.maximumCount,
                    repeatedKeys: .kept))
        } catch let problem {
            throw error(problem.isTooLarge ? .pinFileTooLarge : .pinFileUnreadable, problem.line, problem.detail)
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
