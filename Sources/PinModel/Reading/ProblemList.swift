// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// Collects what is wrong with a file while it is read, and reads values of the types that are expected.
///
/// Readers go on after a problem, so that all of them are told; a file with any problem is not used.
package struct ProblemList {
    package let file: String
    package private(set) var problems: [PinFileProblem] = []

    /// So many are told; nobody reads more.
    private static let maximum = 1000

    package init(file: String) { self.file = file }

    package mutating func add(_ code: PinFileProblem.Code, _ line: Int?, _ path: String, _ detail: String) {
        guard problems.count < Self.maximum else { return }
        problems.append(PinFileProblem(code, at: place(line, path), clipped(detail)))
    }

    package mutating func add(_ others: [PinFileProblem]) {
        problems += others.prefix(max(0, Self.maximum - problems.count))
    }

    package func place(_ line: Int?, _ path: String) -> PinPlace {
        PinPlace(file: file, line: line, keyPath: clipped(path))
    }

    /// - Throws: what was found, if anything was.
    package func check() throws(PinFileError) {
        if let error = PinFileError(problems.sorted { ($0.place.line ?? 0) < ($1.place.line ?? 0) }) { throw error }
    }
}

/// On one line whatever is in it, and not all of it: it comes from a file.
package func clipped(_ text: String) -> String {
    let maximum = 400
    // Every place of a large file comes by here, and nearly all are plain.
    if text.utf8.count <= maximum, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text }
    let shown = text.unicodeScalars.prefix(maximum).map { scalar in
        scalar.value < 0x20 || scalar.value == 0x7f || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .control
            ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
    return text.unicodeScalars.count > maximum ? shown + "…" : shown
}

// MARK: - Types

extension ProblemList {
    /// The members of a dictionary, each key once; nil for another kind of value.
    package mutating func dictionary(_ node: PinNode, _ path: String) -> [PinNode.Member]? {
        guard case .dictionary(let members) = node.value else { return mismatch(node, path, "a dictionary") }
        var seen: Set<ExactText> = []
        return members.filter { member in
            guard !seen.insert(ExactText(member.key)).inserted else { return true }
            add(.duplicateKey, member.node.line, join(path, member.key), "the key comes twice, expected once")
            return false
        }
    }

    /// The members of a dictionary that may have these keys and no others.
    package mutating func dictionary(_ node: PinNode, _ path: String, keys: Set<String>) -> [String: PinNode]? {
        guard let members = dictionary(node, path) else { return nil }
        var known: [String: PinNode] = [:]
        for member in members {
            guard let index = keys.firstIndex(of: member.key), keys[index].isExactly(member.key) else {
                add(
                    .unknownKey, member.node.line, join(path, member.key),
                    "unknown key, expected one of \(keys.sorted().joined(separator: ", "))")
                continue
            }
            known[member.key] = member.node
        }
        return known
    }

    /// The elements of an array, at least one.
    package mutating func list(_ node: PinNode, _ path: String) -> [PinNode]? {
        guard case .array(let elements) = node.value else { return mismatch(node, path, "an array") }
        if elements.isEmpty { add(.emptyList, node.line, path, "an empty list, expected at least one element") }
        return elements
    }

    package mutating func string(_ node: PinNode, _ path: String) -> String? {
        guard case .string(let text) = node.value else { return mismatch(node, path, "a text") }
        return text
    }

    package mutating func boolean(_ node: PinNode, _ path: String) -> Bool? {
        guard case .boolean(let value) = node.value else { return mismatch(node, path, "a boolean") }
        return value
    }

    private mutating func mismatch<Value>(_ node: PinNode, _ path: String, _ expected: String) -> Value? {
        add(.wrongType, node.line, path, "\(node.value.kind), expected \(expected)")
        return nil
    }

    package func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

// MARK: - Pins

extension ProblemList {
    /// A pin written as base64 alone.
    package mutating func key(base64 text: String, _ line: Int?, _ path: String) -> SPKIPin? {
        key("sha256/" + text, line, path)
    }

    /// A pin written as `sha256/BASE64`.
    package mutating func key(_ text: String, _ line: Int?, _ path: String) -> SPKIPin? {
        do throws(SPKIPinError) {
            return try SPKIPin(text)
        } catch {
            switch error.reason {
            case .prefix:
                add(.badDigest, line, path, "\"\(clipped(text))\" does not start with sha256/, expected sha256/BASE64")
            case .notBase64:
                add(.badBase64, line, path, "\"\(clipped(text))\" is not base64, expected 32 bytes in base64")
            case .length(let count): add(.wrongLength, line, path, "\(count) bytes, expected the 32 of a SHA-256")
            }
            return nil
        }
    }

    /// A certificate's DER.
    package mutating func certificate(_ der: [UInt8], _ line: Int?, _ path: String) -> Certificate? {
        do throws(DERError) {
            return try Certificate(der: der)
        } catch {
            let hint = PEM.isPEM(der) ? "; it is PEM, expected DER" : ""
            add(.badCertificate, line, path, "no certificate: \(error)\(hint)")
            return nil
        }
    }

    /// A URL to which reports can be sent: absolute, http or https, with a host.
    package mutating func reportURI(_ text: String, _ line: Int?, _ path: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty
        else {
            add(.badURI, line, path, "\"\(clipped(text))\" is no URL for reports, expected https://host/path")
            return nil
        }
        return text
    }

    /// Two pins of one list and scope that are the same; the first of them stays.
    package mutating func unique(_ pins: [Pin], _ path: String) -> [Pin] {
        var seen: Set<PinRule.Demanded> = []
        return pins.filter { pin in
            guard !seen.insert(PinRule.Demanded(pin)).inserted else { return true }
            add(.duplicatePin, pin.place?.line, pin.place?.keyPath ?? path, "\(pin.value) comes twice, expected once")
            return false
        }
    }

    /// A rule of what was read, if nothing is wrong with it.
    package mutating func rule(_ place: PinPlace, _ make: () throws(PinRuleError) -> PinRule) -> PinRule? {
        do throws(PinRuleError) {
            return try make()
        } catch {
            for problem in error.problems {
                let code: PinFileProblem.Code =
                    switch problem {
                    case .noPin: .emptyList
                    case .pinsInUnpinned: .contradiction
                    case .duplicatePin: .duplicatePin
                    case .duplicateHosts: .duplicateHost
                    }
                // What was told already, more closely, isn't told again.
                if problems.contains(where: { $0.place.keyPath.hasPrefix(place.keyPath) }) { continue }
                add(code, place.line, place.keyPath, problem.description)
            }
            return nil
        }
    }

    /// The configuration of what was read.
    /// - Throws: everything that was found wrong, by the reader or by the model.
    package mutating func configuration(
        _ make: () throws(PinConfigurationError) -> PinConfiguration
    ) throws(PinFileError) -> PinConfiguration {
        try check()
        do throws(PinConfigurationError) {
            return try make()
        } catch {
            for problem in error.problems {
                switch problem {
                case .noRule: add(.emptyList, nil, "", problem.description)
                case .duplicateHosts(_, let place):
                    add(.duplicateHost, place?.line, place?.keyPath ?? "", problem.description)
                case .anyHostAmongOthers(let place), .notInUnion(_, let place):
                    add(.contradiction, place?.line, place?.keyPath ?? "", problem.description)
                }
            }
            throw PinFileError(PinFileProblem(.contradiction, at: place(nil, ""), error.description), problems)
        }
    }
}

extension PinFileError {
    /// The problems, or if there is none the one that stands for them.
    fileprivate init(_ otherwise: PinFileProblem, _ problems: [PinFileProblem]) {
        self = PinFileError(problems) ?? PinFileError(otherwise)
    }
}

// MARK: - Hosts

extension ProblemList {
    /// A domain as files have it: in any case, with a trailing dot or without.
    /// - Parameter mapsInternational: whether the format's owner turns `bücher.example` into `xn--bcher-kva.example`. Those that
    ///   don't can never match such a name, so it is told; the name that was meant is returned all the same, to find it twice.
    package mutating func host(
        _ text: String, _ line: Int?, _ path: String, mapsInternational: Bool = false
    ) -> Hostname? {
        do throws(HostnameError) {
            return try Hostname(text)
        } catch {
            guard error.reason == .notALabels, let mapped = Self.aLabels(of: text), let host = try? Hostname(mapped)
            else {
                add(.badHost, line, path, error.description)
                return nil
            }
            if !mapsInternational {
                add(
                    .badHost, line, path,
                    "host name \"\(clipped(text))\" is never asked for in this form, expected \(host)")
            }
            return host
        }
    }

    /// The name as Foundation's URLs map it (UTS #46).
    private static func aLabels(of text: String) -> String? {
        guard !text.contains(where: { "/?#@:%[]".contains($0) }) else { return nil }
        var components = URLComponents()
        components.scheme = "https"
        components.host = text
        guard let host = components.encodedHost, host.utf8.allSatisfy({ $0 < 0x80 }), !host.contains("%") else {
            return nil
        }
        return host
    }

    /// Each domain once in a file.
    package mutating func unique(_ host: Hostname, _ line: Int?, _ path: String, among seen: inout [Hostname: Int?])
        -> Bool
    {
        guard let first = seen[host] else {
            seen[host] = line
            return true
        }
        let where_ = first.map { " (line \($0))" } ?? ""
        add(.duplicateHost, line, path, "the domain \(host) comes twice\(where_), expected once")
        return false
    }
}

// MARK: - Dates

extension ProblemList {
    /// `yyyy-MM-dd`, its first second in UTC.
    package mutating func day(_ text: String, _ line: Int?, _ path: String) -> Time? {
        guard text.utf8.count == 10, let time = try? Time(rfc3339: text) else {
            add(.badDate, line, path, "\"\(clipped(text))\" is no day, expected yyyy-MM-dd such as 2027-03-31")
            return nil
        }
        return time
    }
}
