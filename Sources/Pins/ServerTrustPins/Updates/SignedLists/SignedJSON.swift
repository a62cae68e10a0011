// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// A JSON value in a signed document. Parsing is strict, because all readers have to see the same document.
struct SignedJSON {
    let node: PinNode
    /// The position in the document, for errors.
    let context: String

    init(_ bytes: [UInt8], _ context: String) throws(PinListError) {
        do throws(PinFileError) {
            // JSON doesn't start with a byte order mark (RFC 8259 § 8.1), but the file reader accepts one.
            guard bytes.first != 0xef else {
                throw PinFileError(.pinFileUnreadable, in: "", "not JSON: a byte order mark")
            }
            self.node = try PinNode(json: bytes, file: context)
        } catch {
            throw PinListError(
                .pinListMalformed, "\(context): \(error.problems.first?.detail ?? "not JSON")", at: context)
        }
        self.context = context
    }

    init(_ node: PinNode, _ context: String) {
        self.node = node
        self.context = context
    }

    /// The members of an object.
    struct Members {
        let values: [ExactText: PinNode]
        let context: String
        let code: ErrorCode

        func has(_ key: String) -> Bool { values[ExactText(key)] != nil }

        func value(_ key: String) throws(PinListError) -> SignedJSON {
            guard let node = values[ExactText(key)] else {
                throw PinListError(code, "\(context) has no \(key)", at: context, expected: .text(key))
            }
            return SignedJSON(node, "\(context), \(key)")
        }

        func string(_ key: String) throws(PinListError) -> String {
            guard case .string(let text) = try value(key).node.value else {
                throw PinListError(code, "\(context): \(key) isn't a string", at: "\(context), \(key)")
            }
            return text
        }

        /// Returns the elements of an array, at least one unless the array may be empty.
        func array(_ key: String, mayBeEmpty: Bool = false) throws(PinListError) -> [SignedJSON] {
            guard case .array(let elements) = try value(key).node.value, mayBeEmpty || !elements.isEmpty else {
                throw PinListError(
                    code, "\(context): \(key) isn't an array with at least one element", at: "\(context), \(key)")
            }
            return elements.enumerated().map { SignedJSON($0.element, "\(context), \(key)[\($0.offset)]") }
        }

        func strings(_ key: String, mayBeEmpty: Bool = false) throws(PinListError) -> [String] {
            var texts: [String] = []
            for element in try array(key, mayBeEmpty: mayBeEmpty) {
                guard case .string(let text) = element.node.value else {
                    throw PinListError(code, "\(element.context) isn't a string", at: element.context)
                }
                texts.append(text)
            }
            return texts
        }

        /// Returns a whole number from 0 to 2^53 - 1, in plain digits. Every JSON reader represents these numbers
        /// exactly (RFC 8259 § 6).
        func number(_ key: String) throws(PinListError) -> Int {
            guard case .number(let digits) = try value(key).node.value, let number = Int(digits),
                (0...PinList.maximumSequence).contains(number), String(number) == digits
            else {
                throw PinListError(
                    code, "\(context): \(key) isn't a whole number from 0 to 2^53 - 1", at: "\(context), \(key)")
            }
            return number
        }

        /// Returns a time in the only accepted form: RFC 3339 in UTC, whole seconds.
        func time(_ key: String) throws(PinListError) -> Time {
            let text = try string(key)
            guard let time = try? Time(rfc3339: text), time.description == text else {
                throw PinListError(
                    code, "\(context): \(key) isn't a time such as 2026-11-21T09:30:00Z", at: "\(context), \(key)")
            }
            return time
        }
    }

    /// Returns the members of an object, which may not contain duplicates.
    /// - Parameters:
    ///   - required: the required members.
    ///   - optional: the optional members, or nil to allow any others.
    ///   - code: the code for errors.
    func members(
        _ required: [String], optional: [String]? = [], code: ErrorCode = .pinListMalformed
    ) throws(PinListError) -> Members {
        guard case .dictionary(let members) = node.value else {
            throw PinListError(code, "\(context) isn't an object", at: context)
        }
        var values: [ExactText: PinNode] = [:]
        for member in members {
            guard values.updateValue(member.node, forKey: ExactText(member.key)) == nil else {
                throw PinListError(
                    .pinListMalformed, "\(context) has \(clipped(member.key)) twice", at: context,
                    found: .text(clipped(member.key)))
            }
            if let optional, !required.containsExactly(member.key), !optional.containsExactly(member.key) {
                throw PinListError(
                    code, "\(context) has an unknown member \(clipped(member.key))", at: context,
                    found: .text(clipped(member.key)))
            }
        }
        for key in required where values[ExactText(key)] == nil {
            throw PinListError(code, "\(context) has no \(key)", at: context, expected: .text(key))
        }
        return Members(values: values, context: context, code: code)
    }
}
