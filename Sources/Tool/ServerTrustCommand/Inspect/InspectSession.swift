// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// A run of `servertrust inspect` over its sources, one after the other.
struct InspectSession {
    let report: InspectReport
    let format: InspectFormat
    /// The number of the only object to show, or nil for all objects.
    let number: Int?
    /// Whether the page shows the relation of the first two sources.
    let comparesFirstTwo: Bool
    /// The passwords for encrypted files.
    let passphrases: PassphraseOptions

    /// Reads and shows sources.
    /// - Parameters:
    ///   - isComparable: false if a source is a folder, which can't be compared.
    /// - Throws: exit code 2 if something can't be read, after showing everything else. Exit code 1 if two sources
    ///   don't belong together, or a server signs with another key than its certificate's.
    func run(_ sources: [InspectSource], compared isComparable: Bool, _ probe: InspectProbe) async throws {
        let palette = Palette.forStandardOutput()
        var shown: [InspectedSource] = []
        var isDamaged = false
        var hasWrongKey = false
        var read: [InspectedSource] = []
        var numbers = IssuedNumbers()
        for source in sources {
            guard var inspected = try await self.read(source, probe) else {
                isDamaged = true
                continue
            }
            for object in inspected.objects {
                let name = "\(inspected.name), object \(object.place.number),"
                guard let note = object.certificate.flatMap({ numbers.add($0, named: name) }) else { continue }
                inspected.reusedNumbers[object.place.number] = note
                inspected.notes.append(note)
            }
            if inspected.objects.contains(where: { $0.problem != nil }) { isDamaged = true }
            if let failure = inspected.handshakeFailure {
                hasWrongKey = true
                Diagnostics.error("\(source.name): \(failure.message) [\(failure.code)]")
            }
            if shown.count < 2 { shown.append(inspected) }
            switch format {
            case .json, .html:
                inspected.bytes = []
                read.append(inspected)
            case .text:
                try StandardStream.output.write(
                    Array(text(inspected, sources, isFirst: shown.count == 1, palette).utf8))
            case .pem: try StandardStream.output.write(Array(InspectPEM.text(inspected).utf8))
            case .asn1:
                let dump = InspectASN1.text(inspected, isOnly: sources.count == 1, isLong: report.extent == .long)
                if dump.isDamaged { isDamaged = true }
                try StandardStream.output.write(Array(dump.text.utf8))
            case .der: read.append(inspected)
            }
        }
        let comparison = comparesFirstTwo && isComparable && shown.count == 2 ? compare(shown[0], shown[1]) : nil
        if format == .json { try StandardStream.output.write(report.json(read, comparison)) }
        if format == .html { try StandardStream.output.write(report.html(read, comparison)) }
        if format == .der { try writeDER(read.flatMap(\.objects)) }
        if format == .text, report.fields.isEmpty, report.extent != .short, let comparison {
            try StandardStream.output.write(Array(report.text(comparison, palette).utf8))
        }
        if isDamaged { throw ExitCodes.couldNotEvaluate }
        if hasWrongKey { throw ExitCodes.rejected }
        if let comparison, !comparison.result.belongTogether { throw ExitCodes.rejected }
    }

    private func text(_ source: InspectedSource, _ all: [InspectSource], isFirst: Bool, _ palette: Palette) -> String {
        let needsGap = !isFirst && report.extent != .short && report.fields.count != 1
        return (needsGap ? "\n" : "") + report.text(source, isOnly: all.count == 1, palette)
    }

    /// Returns the objects of a source. If it can't be read or reached, reports an error and returns nil.
    private func read(_ source: InspectSource, _ probe: InspectProbe) async throws -> InspectedSource? {
        do {
            var inspected: InspectedSource
            switch source.place {
            case .file(let name):
                let bytes = try InputFile.read(name)
                let file = InspectionReader.read(
                    bytes, name: source.name, passphrases: try passphrases.source(for: name))
                inspected = InspectedSource(name: source.name, objects: file.objects, notes: file.notes, bytes: bytes)
            case .server(let endpoint):
                inspected = try await probe.source(endpoint, name: source.name)
            }
            guard let number else { return inspected }
            guard number <= inspected.objects.count else {
                throw CommandFailure(
                    "\(source.name): \(counted(inspected.objects.count, "object")), expected one with number \(number)")
            }
            let failure = inspected.handshakeFailure
            inspected = InspectedSource(
                name: source.name, objects: [inspected.objects[number - 1]], notes: inspected.notes)
            inspected.handshakeFailure = failure
            return inspected
        } catch let failure as CommandFailure {
            failure.report()
            return nil
        }
    }

    /// Returns the relation of the first object of one source and the object of another source that is closest to it.
    private func compare(_ first: InspectedSource, _ second: InspectedSource) -> ObjectsPage.Relation? {
        guard let object = first.objects.first(where: { $0.problem == nil }) else { return nil }
        guard let best = ObjectComparison.best(object, among: second.objects, at: report.time) else { return nil }
        func name(_ source: InspectedSource, _ object: InspectedObject) -> String {
            let number = source.objects.count > 1 ? ", object \(object.place.number)" : ""
            return source.name + number + ": " + ObjectDescription(object, at: report.time).title
        }
        return ObjectsPage.Relation(best.comparison, (name(first, object), name(second, best.object)))
    }

    private func writeDER(_ objects: [InspectedObject]) throws {
        let encoded = objects.filter { !$0.shownDER.isEmpty }
        guard encoded.count == 1 else {
            throw CommandFailure(
                "\(encoded.count) objects, but --format der writes only one", hint: "choose the first with --object 1")
        }
        try StandardStream.output.write(encoded[0].shownDER)
    }
}

/// The objects of sources, for `servertrust inspect --format pem`.
enum InspectPEM {
    /// Returns the objects in PEM, each after a comment with its name. For private keys, there is only the comment.
    static func text(_ source: InspectedSource) -> String {
        var text = ""
        for object in source.objects {
            guard let label = object.pemLabel, !object.shownDER.isEmpty else {
                text += "# \(object.place.number) \(object.kind?.words ?? "no known object") is left out\n"
                continue
            }
            let name = object.certificate.map { $0.abridgedDescription(toBytes: 1024) } ?? object.kind?.words ?? ""
            text += "# \(object.place.number) \(printable(name))\n" + PEM.encode(object.der, label: label)
        }
        return text
    }
}
