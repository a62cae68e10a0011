// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import TrustSupport

/// Accepts the findings of a run as its options say, and warns of what they accept in vain.
struct LintAcceptance {
    let options: AcceptanceOptions
    /// The files of this run.
    let files: [String]
    private let baseline: FindingBaseline?

    /// The number of entries that are warned of one by one.
    private static let maximumWarnings = 20

    /// Reads the baseline.
    /// - Throws: ``CommandFailure`` for a file that can't be read or is no baseline.
    init(_ options: AcceptanceOptions, files: [String]) throws(CommandFailure) {
        self.options = options
        self.files = files
        self.baseline = if let name = options.baseline { try Self.read(name) } else { nil }
    }

    private static func read(_ name: String) throws(CommandFailure) -> FindingBaseline {
        let bytes = try InputFile.read(name)
        do throws(FindingBaselineError) {
            return try FindingBaseline(json: bytes)
        } catch {
            let place = InputFile.displayName(name) + (error.line.map { ":\($0)" } ?? "")
            throw CommandFailure("\(place): \(error)", hint: "--write-baseline writes such a file")
        }
    }

    /// Accepts findings, the options first, then the baseline; comments in files were read before. Writes a baseline if asked for and
    /// everything was read.
    func apply(to report: inout LintReport) throws(CommandFailure) {
        accept(&report.findings)
        guard let name = options.writeBaseline, report.unread.isEmpty else { return }
        try write(name, &report)
    }

    /// Checks that a baseline was written if asked for.
    /// - Throws: ``CommandFailure`` after a run that couldn't read everything: the baseline would lack what is in there.
    func requireBaseline(of report: LintReport) throws(CommandFailure) {
        guard let name = options.writeBaseline, !report.unread.isEmpty else { return }
        let count = report.unread.count
        throw CommandFailure(
            "\(name): not written, as \(count == 1 ? "a file or folder" : "\(count) files or folders") couldn't be read",
            hint: "name files and folders that can be read")
    }

    private func accept(_ findings: inout [PinFinding]) {
        var isUsed = Array(repeating: false, count: options.ignore.count)
        for index in findings.indices where findings[index].acceptance == nil {
            guard findings[index].isSelected(by: options.ignore) else { continue }
            findings[index].acceptance = FindingAcceptance(.option)
            for (option, selector) in options.ignore.enumerated() where selector.selects(findings[index].rule) {
                if selector.host.map(findings[index].hosts.contains) ?? true { isUsed[option] = true }
            }
        }
        for (selector, isUsed) in zip(options.ignore, isUsed) where !isUsed {
            Diagnostics.warn("--ignore \(selector): there is no such finding")
        }
        if let baseline, let name = options.baseline {
            let folder = Self.folder(of: name)
            warn(of: baseline.accept(&findings, naming: { Self.name($0, in: folder) }), name, folder)
        }
    }

    // MARK: - Baseline

    /// Warns of entries without a finding, if their file was read or is gone and their rule needs nothing that this run lacks.
    private func warn(of entries: [FindingBaseline.Entry], _ name: String, _ folder: String) {
        let read = Set(files.map { Self.name($0, in: folder) })
        let others = Set(PinLintRule.all.filter(\.dependsOnOtherInputs).map(\.id))
        let stale = entries.filter { entry in
            guard !others.contains(entry.id) else { return false }
            return read.contains(entry.file) || !FileManager.default.fileExists(atPath: folder + "/" + entry.file)
        }
        guard !stale.isEmpty, options.writeBaseline != name else { return }
        for entry in stale.prefix(Self.maximumWarnings) {
            let hosts = entry.hosts.map { " for \(clipped($0, to: 100))" } ?? ""
            let file = clipped(entry.file, to: 200)
            Diagnostics.warn("\(name): \(clipped(entry.id, to: 60))\(hosts) in \(file) isn't found any more")
        }
        if stale.count > Self.maximumWarnings {
            Diagnostics.warn("\(name): \(stale.count - Self.maximumWarnings) more aren't found any more")
        }
        Diagnostics.hint("--write-baseline \(name) renews it")
    }

    private func write(_ name: String, _ report: inout LintReport) throws(CommandFailure) {
        // A file of pins named by mistake isn't overwritten.
        let isThere = try OutputFile.place(name) == .file && FileManager.default.fileExists(atPath: name)
        let earlier = isThere ? try Self.read(name) : self.baseline
        let folder = Self.folder(of: name)
        // Findings that the old baseline accepts belong into the new one too.
        let open = report.findings.map { finding in
            var finding = finding
            if finding.acceptance?.source == .baseline { finding.acceptance = nil }
            return finding
        }
        var baseline = FindingBaseline(open, keepingReasonsOf: earlier) { Self.name($0, in: folder) }
        if let earlier {
            let earlierFolder = isThere ? folder : options.baseline.map(Self.folder) ?? folder
            baseline = baseline.keeping(earlier, naming: kept(report, from: earlierFolder, in: folder))
        }
        try OutputFile.write(baseline.json(), to: name, replacing: true)
        _ = baseline.accept(&report.findings) { Self.name($0, in: folder) }
    }

    /// Returns the new names of the files of the entries that a run says nothing about: those of files that it hasn't read, or couldn't
    /// use, and those of rules that need servers, certificates or other files. Entries of files that are gone aren't kept.
    private func kept(
        _ report: LintReport, from earlierFolder: String, in folder: String
    ) -> (FindingBaseline.Entry) -> String? {
        let others = Set(PinLintRule.all.filter(\.dependsOnOtherInputs).map(\.id))
        let unused = Set(report.sources.filter { $0.configuration == nil }.map(\.file))
        let read = Set(report.files.filter { !unused.contains($0) }.map { Self.name($0, in: folder) })
        let standardInput = InputFile.displayName("-")
        return { entry in
            if entry.file == standardInput {
                return read.contains(standardInput) && !others.contains(entry.id) ? nil : standardInput
            }
            let path = earlierFolder + "/" + entry.file
            let name = Self.name(path, in: folder)
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return read.contains(name) && !others.contains(entry.id) ? nil : name
        }
    }

    // MARK: - Names

    private static func folder(of file: String) -> String {
        URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent().path
    }

    /// Returns the name of a file relative to a folder, so that a baseline holds wherever the folder is.
    private static func name(_ file: String, in folder: String) -> String {
        guard file != InputFile.displayName("-") else { return file }
        var path = URL(fileURLWithPath: file).standardizedFileURL.pathComponents[...]
        var base = URL(fileURLWithPath: folder).pathComponents[...]
        while let first = base.first, path.first == first {
            path = path.dropFirst()
            base = base.dropFirst()
        }
        return (base.map { _ in ".." } + path).joined(separator: "/")
    }
}
