// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinModel
import ServerTrust

/// A JSON value of a signed document, read without leniency: two readers must never see two things in it.
struct StrictJSON {
    let node: PinNode
    /// For errors: where in the document it stands.
    let place: String

    init(_ bytes: [UInt8], _ place: String) throws(PinListRefusal) {
        do throws(PinFileError) {
            // A mark of byte order is no JSON (RFC 8259 § 8.1), which the reader of files overlooks.
            guard bytes.first != 0xef else { throw PinFileError(json: "a byte order mark") }
            self.node = try PinNode(json: bytes, file: place)
        } catch {
            throw PinListRefusal(.malformed, "\(place): \(error.problems.first?.detail ?? "not JSON")")
        }
        self.place = place
    }

    init(_ node: PinNode, _ place: String) {
        self.node = node
        self.place = place
    }

    /// The members of an object.
    struct Members {
        let values: [ExactText: PinNode]
        let place: String
        let code: PinListRefusal.Code

        func has(_ key: String) -> Bool { values[ExactText(key)] != nil }

        func value(_ key: String) throws(PinListRefusal) -> StrictJSON {
            guard let node = values[ExactText(key)] else { throw PinListRefusal(code, "\(place) has no \(key)") }
            return StrictJSON(node, "\(place), \(key)")
        }

        func string(_ key: String) throws(PinListRefusal) -> String {
            guard case .string(let text) = try value(key).node.value else {
                throw PinListRefusal(code, "\(place): \(key) is no text")
            }
            return text
        }

        /// At least one element.
        func array(_ key: String, mayBeEmpty: Bool = false) throws(PinListRefusal) -> [StrictJSON] {
            guard case .array(let elements) = try value(key).node.value, mayBeEmpty || !elements.isEmpty else {
                throw PinListRefusal(code, "\(place): \(key) is no list with an element")
            }
            return elements.enumerated().map { StrictJSON($0.element, "\(place), \(key)[\($0.offset)]") }
        }

        func strings(_ key: String, mayBeEmpty: Bool = false) throws(PinListRefusal) -> [String] {
            var texts: [String] = []
            for element in try array(key, mayBeEmpty: mayBeEmpty) {
                guard case .string(let text) = element.node.value else {
                    throw PinListRefusal(code, "\(element.place) is no text")
                }
                texts.append(text)
            }
            return texts
        }

        /// A whole number from 0 to 2^53 - 1, which every reader of JSON has exactly (RFC 8259 § 6), in plain digits.
        func number(_ key: String) throws(PinListRefusal) -> Int {
            guard case .number(let digits) = try value(key).node.value, let number = Int(digits),
                (0...PinList.maximumSequence).contains(number), String(number) == digits
            else { throw PinListRefusal(code, "\(place): \(key) is no whole number from 0 to 2^53 - 1") }
            return number
        }

        /// A moment in the one form that it has here: RFC 3339 in UTC, whole seconds.
        func time(_ key: String) throws(PinListRefusal) -> Time {
            let text = try string(key)
            guard let time = try? Time(rfc3339: text), time.description == text else {
                throw PinListRefusal(code, "\(place): \(key) is no time such as 2026-11-21T09:30:00Z")
            }
            return time
        }
    }

    /// The members of an object, none of them twice.
    /// - Parameters:
    ///   - required: have to be there.
    ///   - optional: may be there; nil for whatever else there is.
    ///   - code: of what is wrong.
    func members(
        _ required: [String], optional: [String]? = [], code: PinListRefusal.Code = .malformed
    ) throws(PinListRefusal) -> Members {
        guard case .dictionary(let members) = node.value else { throw PinListRefusal(code, "\(place) is no object") }
        var values: [ExactText: PinNode] = [:]
        for member in members {
            guard values.updateValue(member.node, forKey: ExactText(member.key)) == nil else {
                throw PinListRefusal(.malformed, "\(place) has \(Self.shown(member.key)) twice")
            }
            if let optional, !required.containsExactly(member.key), !optional.containsExactly(member.key) {
                throw PinListRefusal(code, "\(place) has an unknown member \(Self.shown(member.key))")
            }
        }
        for key in required where values[ExactText(key)] == nil {
            throw PinListRefusal(code, "\(place) has no \(key)")
        }
        return Members(values: values, place: place, code: code)
    }

    /// A text of a stranger's, on one line and not all of it.
    static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(80).map { $0.value >= 0x20 && $0.value < 0x7f ? $0 : "?" }))
    }
}

extension PinFileError {
    fileprivate init(json detail: String) {
        self.init(PinFileProblem(.unreadable, at: PinPlace(file: ""), "not JSON: \(detail)"))
    }
}

extension PinNode {
    /// The value as JSON, members in their order, without white space.
    var json: String {
        switch value {
        case .dictionary(let members):
            "{" + members.map { PinTree.quoted($0.key) + ":" + $0.node.json }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .string(let text): PinTree.quoted(text)
        case .number(let digits): digits
        case .boolean(let value): value ? "true" : "false"
        // Property lists have these two; JSON doesn't.
        case .date(let time): PinTree.quoted(time.description)
        case .data(let bytes): PinTree.quoted(Base64.encode(bytes))
        case .null: "null"
        }
    }
}
