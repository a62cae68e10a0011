// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

/// Each form of pins that a format can express: recorded, replayed, and rehearsed with a wrong file.
@Suite("Records and rehearsals of each pin format", .timeLimit(.minutes(5)))
struct PinShapeTests {
    /// Records an evaluation of a service with pins.
    private func record(_ service: FleetService, _ file: FleetPinFile?, in records: String) async throws -> TrustVerdict
    {
        var situation = service.situation
        situation.pins = file.map { .file($0) } ?? .none
        let (manager, trust) = try situation.evaluation()
        let recorder = TrustRecorder(folder: records, recording: .all)
        manager.events.add(recorder)
        let verdict = manager.evaluate(trust)
        await recorder.flush()
        return verdict
    }

    private func replay(_ records: String, _ options: [String] = []) throws -> (Tool.Outcome, ReplayJSON) {
        let outcome = try Tool.run(["audit", "--replay", records, "--format", "json"] + options)
        return (outcome, try #require(try outcome.json([ReplayJSON].self).first, "\(outcome.errors)"))
    }

    @Test("A record with pins of each form replays equally, and a rehearsal of a wrong file refuses")
    func shapes() async throws {
        let folder = try TemporaryFolder.make()
        defer { folder.remove() }
        let service = try FleetService.plain()
        let plain = folder.url.appendingPathComponent("plain").path
        #expect(try await record(service, nil, in: plain).isTrusted)
        var rows = ""
        for (number, shape) in PinShape.all.enumerated() {
            let records = folder.url.appendingPathComponent("\(number)").path
            let verdict = try await record(
                service, FleetPinFile([shape.rule(for: service)], as: shape.format), in: records)
            let isClosed = shape.expiry == .passedClosed
            #expect(verdict.failures.map(\.code.name) == (isClosed ? ["pinsExpired"] : []), "\(shape)")
            let (replayed, report) = try replay(records)
            let isKnown = shape.format != .isp
            #expect(replayed.status == (isKnown ? 0 : 3), "\(shape) \(replayed.text)")
            #expect(report.records["otherDetails"] == 0)

            let wrong = try FleetPinFile([shape.wrongRule(for: service.host)], as: shape.format)
            let file = try folder.write("\(number).pins", Data(wrong.bytes)).path
            let options = ["--pins", file, "--pins-from", shape.format.name]
            let isRefused = shape.expiry != .passed
            var code: String?
            for (records, isNew) in [(plain, true), (records, !isClosed)] {
                let (outcome, report) = try replay(records, options)
                // A record of a refusal doesn't say that nothing breaks.
                #expect(outcome.status == (!isRefused ? 0 : isNew ? 1 : 3), "\(shape) \(outcome.text)")
                let host = try #require(report.hosts.first)
                #expect(host.outcome == (isRefused && isNew ? "breaks" : "ok"), "\(shape)")
                code = code ?? host.code
            }
            #expect((code != nil) == isRefused)
            rows += "| \(shape.format) | \(shape.words) | \(shape.expiry.rawValue) | "
            rows += isKnown ? "equal | " : "not known: \(report.gaps.first?.reason ?? "") | "
            rows += code.map { "**refused**: \($0), exit status 1 |\n" } ?? "trusted: the pins no longer apply |\n"
        }
        let formats = Set(PinShape.all.map(\.format))
        #expect(formats.count == 11)
        try compare(rows)
    }

    /// Compares the documentation with the rows of the table.
    private func compare(_ rows: String) throws {
        let text = """
            <!-- SPDX-License-Identifier: Apache-2.0 -->
            # Pin formats in records and rehearsals

            Each row is a form of pins that a format can express. The pins of a host were recorded, and `servertrust audit --replay`
            evaluated the record again. Then `servertrust audit --replay --pins` rehearsed a file of the same form that matches no key of
            the host. "And" means that a path needs a pin of each scope. An expiry has passed, or is later than the evaluation. Most
            formats no longer pin a host after the expiry. The own JSON can also refuse it. `PinShapeTests` compares this page, and writes
            it with `SERVERTRUST_WRITE_DOCUMENTATION=1`.

            | format | scopes | expiry | replayed | rehearsed with a wrong file |
            |---|---|---|---|---|
            \(rows)
            """
        var file = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { file.deleteLastPathComponent() }
        file.appendPathComponent("Documentation/Generated/RehearsedPins.md")
        if ProcessInfo.processInfo.environment["SERVERTRUST_WRITE_DOCUMENTATION"] != nil {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
}
