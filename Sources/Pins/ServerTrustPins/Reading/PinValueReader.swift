// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// Reads values of the expected types from a file, and collects the problems in it.
///
/// Readers continue after a problem, so that they report all problems. A file with a problem of the grade `refused`
/// isn't used.
package struct PinValueReader {
    /// The name of the file.
    let file: String
    /// The problems in the order in which they were found: at most 1,000, plus the first of each code and grade.
    package private(set) var problems: [PinFileProblem] = []
    /// The codes of the problems by grade.
    private var codes: [PinFileProblem.Grade: Set<ErrorCode>] = [:]
    /// The key paths of the problems that make the file unusable, in ascending order of their bytes.
    private var refusedPaths: [[UInt8]] = []

    /// The maximum number of problems to keep, in addition to the first of each code and grade.
    package static let maximum = 1000
    /// The number of problems after which the rest of the file isn't read. One problem takes a few microseconds, and a
    /// file of a few megabytes can have a million problems.
    static let maximumCount = 50_000
    /// Counts all problems, including the ones that aren't kept.
    private var meter = WorkMeter(work: maximumCount)
    /// The locations of strings that a pin without a matching key represents.
    var standIns: Set<PinFileLocation> = []

    package init(file: String) { self.file = file }

    /// Adds a problem.
    /// - Parameters:
    ///   - code: the kind of problem.
    ///   - grade: its effect. The file is refused by default.
    ///   - line: its line, from 1, or nil if the format has no lines.
    ///   - path: the keys and indices from the file's root.
    ///   - detail: a human-readable description of the value found and the value expected.
    ///   - fix: a human-readable remedy, or nil for the remedy in the code's guide.
    ///   - sha1: the SHA-1 digest that the file contains instead of a pin, or nil for none.
    package mutating func add(
        _ code: ErrorCode, as grade: PinFileProblem.Grade = .refused, _ line: Int?, _ path: String,
        _ detail: String, fix: String? = nil, sha1: [UInt8]? = nil
    ) {
        guard meter.charge(work: 1) else { return noteTooMany() }
        // A thousand other problems must not hide a problem that makes the file unusable or prevents its enforcement.
        guard codes[grade, default: []].insert(code).inserted || problems.count < Self.maximum else { return }
        let problem = PinFileProblem(code, grade, at: location(line, path), clipped(detail), fix: fix, sha1: sha1)
        problems.append(problem)
        guard grade == .refused else { return }
        let keyPath = Array(problem.location.keyPath.utf8)
        refusedPaths.insert(keyPath, at: firstRefusedPath(from: keyPath))
    }

    /// Adds a problem with a value.
    package mutating func add(
        _ code: ErrorCode, as grade: PinFileProblem.Grade = .refused, _ place: PlacedNode, _ detail: String,
        fix: String? = nil
    ) {
        add(code, as: grade, place.line, place.path, detail, fix: fix)
    }

    /// Whether there are so many problems that the rest of the file isn't read. In that case, the file is refused.
    var isExhausted: Bool { meter.isExhausted }

    private mutating func noteTooMany() {
        guard codes[.refused, default: []].insert(.pinFileTooLarge).inserted else { return }
        problems.append(
            PinFileProblem(
                .pinFileTooLarge, at: location(nil, ""),
                "over \(Self.maximumCount) problems: the rest of the file wasn't read"))
    }

    /// Returns whether a problem with a code was found.
    package func has(_ code: ErrorCode) -> Bool { problems.contains { $0.code == code } }

    /// Returns whether a problem with this code that refuses the file would be kept, so that its text is worth
    /// creating.
    func keeps(_ code: ErrorCode) -> Bool {
        problems.count < Self.maximum || codes[.refused]?.contains(code) != true
    }

    /// Returns the position of the first path in ``refusedPaths`` that doesn't sort before `path`.
    private func firstRefusedPath(from path: [UInt8]) -> Int {
        var (low, high) = (0, refusedPaths.count)
        while low < high {
            let middle = (low + high) / 2
            if refusedPaths[middle].lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns whether a problem that makes the file unusable is at a key path or inside it. A file can have any number
    /// of rules, so this function doesn't search the problems one by one for each rule.
    private func isRefused(inside keyPath: String) -> Bool {
        let path = Array(keyPath.utf8)
        let index = firstRefusedPath(from: path)
        return index < refusedPaths.count && refusedPaths[index].starts(with: path)
    }

    /// Whether a problem makes the file unusable.
    var isRefused: Bool { codes[.refused] != nil }

    /// Returns a location in the file.
    package func location(_ line: Int?, _ path: String) -> PinFileLocation {
        PinFileLocation(file: file, line: line, keyPath: clipped(path))
    }

    package func location(_ place: PlacedNode) -> PinFileLocation { location(place.line, place.path) }

    /// Checks that no problem makes the file unusable.
    /// - Throws: all problems, by line, if one does.
    package func check() throws(PinFileError) {
        guard isRefused, let error = PinFileError(problems.sorted { ($0.location.line ?? 0) < ($1.location.line ?? 0) })
        else { return }
        throw error
    }
}

extension PinValueReader {
    /// Returns a rule, or reports the reasons why it can't be created.
    package mutating func rule(
        _ hosts: [PinnedHosts], mode: PinRule.Mode = .enforced, _ pins: [Pin], expiry: PinExpiry? = nil,
        anchors: [PinAnchorSource] = [], reportURIs: [String] = [], comment: String? = nil, settings: [PinSetting] = [],
        _ line: Int?, _ path: String
    ) -> PinRule? {
        let location = location(line, path)
        do throws(PinRuleError) {
            return try PinRule(
                hosts: hosts, mode: mode, pins: pins, expiry: expiry, anchors: anchors, reportURIs: reportURIs,
                comment: comment, settings: settings, location: location)
        } catch {
            // Doesn't repeat a problem that was reported at a location inside the rule.
            for problem in error.problems where !isRefused(inside: location.keyPath) {
                add(problem.code, line, location.keyPath, problem.description)
            }
            return nil
        }
    }

    /// Returns a configuration with the odd problems, if there are no others.
    /// - Throws: all problems, either from the readers or with the configuration.
    package mutating func configuration(
        _ rules: [PinRule], selection: PinConfiguration.Selection = .mostSpecific,
        unlistedHosts: PinConfiguration.UnlistedHosts = .evaluatedByDefault, anchors: [PinAnchorSource] = [],
        debugAnchors: [PinAnchorSource] = [], comment: String? = nil, settings: [PinSetting] = [],
        allowsNoRule: Bool = false
    ) throws(PinFileError) -> PinConfiguration {
        do throws(PinFileError) {
            try check()
        } catch {
            var error = error
            error.rest = rules.filter { !isRefused(inside: $0.location?.keyPath ?? "") }
            throw error
        }
        do throws(PinRuleError) {
            let configuration = try PinConfiguration(
                rules: rules, selection: selection, unlistedHosts: unlistedHosts, anchors: anchors,
                debugAnchors: debugAnchors, comment: comment, settings: settings, allowsNoRule: allowsNoRule)
            return configuration.adding(oddities: problems)
        } catch {
            for problem in error.problems {
                add(problem.code, problem.location?.line, problem.location?.keyPath ?? "", problem.description)
            }
            let otherwise = PinFileProblem(.pinFileContradiction, at: location(nil, ""), error.description)
            throw PinFileError(problems) ?? PinFileError(otherwise)
        }
    }
}
