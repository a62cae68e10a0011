// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinLint
import ServerTrust

/// Accepts the findings of a run as its options request, and warns about options and entries that match no finding.
struct LintAcceptance {
    let options: AcceptanceOptions
    /// The files of this run.
    let files: [String]
    private let baseline: FindingBaseline?

    /// The maximum number of entries to warn about one by one.
    private static let maximumWarnings = 20

    /// Reads the baseline.
    /// - Throws: ``CommandFailure`` if the file can't be read or isn't a baseline.
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
            throw CommandFailure("\(place): \(error)", hint: "--write-baseline creates such a file")
        }
    }

    /// Accepts findings, first by the options, then by the baseline. Comments in files have already been applied.
    /// Writes a baseline if requested and if everything was read.
    func apply(to report: inout LintReport) throws(CommandFailure) {
        accept(&report.findings)
        guard let name = options.writeBaseline, report.unread.isEmpty else { return }
        try write(name, &report)
    }

    /// Checks that a requested baseline was written.
    /// - Throws: ``CommandFailure`` after a run that couldn't read everything, because the baseline would be
    ///   incomplete.
    func requireBaseline(of report: LintReport) throws(CommandFailure) {
        guard let name = options.writeBaseline, !report.unread.isEmpty else { return }
        let count = report.unread.count
        throw CommandFailure(
            "\(name): not written, because \(count == 1 ? "a file or folder" : "\(count) files or folders") couldn't be read",
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
            Diagnostics.warn("--ignore \(selector): matches no finding")
        }
        if let baseline, let name = options.baseline {
            let folder = Self.folder(of: name)
            warn(of: baseline.accept(&findings, naming: { Self.name($0, in: folder) }), name, folder)
        }
    }

    // MARK: - Baseline

    /// Warns about entries without a finding. It only does so if their file was read or no longer exists, and this run
    /// has everything that their rule needs.
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
            Diagnostics.warn("\(name): \(clipped(entry.id, to: 60))\(hosts) in \(file) no longer occurs")
        }
        if stale.count > Self.maximumWarnings {
            Diagnostics.warn("\(name): \(stale.count - Self.maximumWarnings) more no longer occur")
        }
        Diagnostics.hint("--write-baseline \(name) renews it")
    }

    private func write(_ name: String, _ report: inout LintReport) throws(CommandFailure) {
        // Doesn't overwrite a pin file that the user named by mistake.
        let isThere = try OutputFile.place(name) == .file && FileManager.default.fileExists(atPath: name)
        let earlier = isThere ? try Self.read(name) : self.baseline
        let folder = Self.folder(of: name)
        // The new baseline also includes findings that the old one accepts.
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

    /// Returns a closure that maps each entry to keep to the new name of its file. The run says nothing about these
    /// entries: it hasn't read their file or couldn't use it, or their rule needs servers, certificates or other files.
    /// The closure returns nil for all other entries, and for files that no longer exist.
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

    /// Returns the name of a file relative to a folder, so that a baseline stays valid when the folder moves.
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
