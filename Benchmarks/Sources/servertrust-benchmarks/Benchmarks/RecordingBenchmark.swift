// SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import AsyncHTTPClient
import Foundation
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustHTTP
import ServerTrustLab
import ServerTrustTesting

/// Requests with a recorder of refusals, of 1 % and of all verdicts, compared with none, and the cost of many distinct
/// connections.
struct RecordingBenchmark: Benchmark {
    let name = "recording"
    let summary = "requests with a recorder of verdicts beside requests without one, and a million records"
    var countsInstructions: Bool { false }

    func run(_ settings: Settings) async throws -> Section {
        let server = try await LocalServer.start()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var section = Section(
            benchmark: name, title: summary,
            columns: [
                "median µs", "fastest µs", "by round", "records", "repeats", "bytes a record", "dropped", "heap MB",
            ])
        for isWarm in [true, false] {
            let label = isWarm ? "warm request" : "connection and request"
            let contenders = try RecordingContender.Kind.allCases.map { kind in
                try RecordingContender(server, kind, isWarm: isWarm, folder: folder, loops)
            }.filter { settings.includes("\(label), \($0.name)") }
            let timings = try await Race(turn: 40e6, rounds: settings.rounds).run(contenders)
            guard let base = timings.first else { continue }
            for (contender, timing) in zip(contenders, timings) {
                await contender.recorder?.flush()
                let counts = contender.recorder?.counts
                section.rows.append(
                    Section.Row(
                        name: "\(label), \(contender.name)",
                        cells: [
                            .microseconds(timing.median), .microseconds(timing.fastest), .ratio(timing.ratio(to: base)),
                            counts.map { .number(Double($0.written), decimals: 0) } ?? .none,
                            counts.map { .number(Double($0.repeated), decimals: 0) } ?? .none, .none,
                            counts.map { .number(Double($0.dropped), decimals: 0) } ?? .none, .none,
                        ]))
                guard let limit = contender.kind.limit else { continue }
                section.claims.append(
                    Section.Claim(
                        what: "\(label), \(contender.name) / none", value: timing.ratio(to: base), limit: limit,
                        unit: "x"))
            }
            for contender in contenders { await contender.client.shutdown() }
        }
        await server.stop()
        if settings.includes("distinct connections") {
            section.rows.append(
                try await ManyRecords(count: settings.count, folder: folder.appendingPathComponent("many")).measure())
        }
        return section
    }
}

/// A client with requests to one server, and a recorder.
private final class RecordingContender: Contender {
    enum Kind: String, CaseIterable {
        case none, refusals
        case share = "1 %"
        case all

        var selection: TrustRecorder.Selection? {
            switch self {
            case .none: nil
            case .refusals: .refusals
            case .share: .sample(0.01)
            case .all: .all
            }
        }

        /// The limit, relative to no recorder.
        var limit: Double? {
            switch self {
            case .none: nil
            case .refusals: 1.00
            case .share: 1.01
            case .all: 1.05
            }
        }
    }

    let kind: Kind
    let client: TrustedHTTPClient
    let recorder: TrustRecorder?
    private let url: String
    private let isWarm: Bool

    init(
        _ server: LabServer, _ kind: Kind, isWarm: Bool, folder: URL, _ loops: MultiThreadedEventLoopGroup
    ) throws {
        self.kind = kind
        self.isWarm = isWarm
        url = server.url + "/"
        let manager = try ServerTrustManager(evaluators: [
            server.host.description: SPKIPinsTrustEvaluator(
                try SPKIPinSet(pinsRiskingLockout: [SPKIPin(server.certificates.chain[0])]))
        ])
        recorder = kind.selection.map {
            TrustRecorder(folder: folder.appendingPathComponent("\(kind.rawValue)-\(isWarm)").path, recording: $0)
        }
        if let recorder { manager.events.add(recorder) }
        var trust = ServerTrustConfiguration(manager)
        trust.anchors = .only(server.certificates.anchors)
        var configuration = TrustedHTTPConfiguration()
        configuration.httpVersion = .http1Only
        client = try TrustedHTTPClient(trust: trust, configuration: configuration, eventLoopGroup: loops)
    }

    var name: String { kind.rawValue }

    func run(_ iterations: Int) async throws {
        var request = HTTPClientRequest(url: url)
        if !isWarm { request.headers.add(name: "connection", value: "close") }
        for _ in 0..<iterations {
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1024)
            guard response.status == .ok, body.readableBytes > 0 else {
                throw WrongAnswer(contender: name, what: "status \(response.status.code)")
            }
        }
    }
}

/// Evaluations of distinct hosts, as a crawler makes them, each with a record.
private struct ManyRecords {
    let count: Int
    let folder: URL

    func measure() async throws -> Section.Row {
        let root = try TestAuthority.root()
        let issuer = try root.intermediate()
        let chain = issuer.chain(try issuer.issue(.leaf("*.example.com")))
        let manager = try ServerTrustManager(evaluators: ["*.example.com": DefaultTrustEvaluator()])
        var settings = TrustRecorder.Settings()
        settings.maximumSize = .max
        let recorder = TrustRecorder(folder: folder.path, recording: .all, settings: settings)
        manager.events.add(recorder)
        let anchors = TrustAnchors.only([root.certificate])
        let clock = ContinuousClock()
        let before = heapBytes()
        var peak = before
        var times: [Double] = []
        let start = clock.now
        for number in 0..<count {
            var trust = Trust(presentedChain: PresentedChain(chain), host: try Hostname("host\(number).example.com"))
            trust.anchors = anchors
            trust.verifyDate = .at(TestAuthority.now)
            let begin = clock.now
            guard manager.evaluate(trust).isTrusted else {
                throw WrongAnswer(contender: "many records", what: "refused")
            }
            times.append((clock.now - begin) / .nanoseconds(1))
            guard number % 1000 == 999 else { continue }
            peak = max(peak, heapBytes())
            // The queue holds 2,048 evaluations, and the loop is faster than any network.
            await recorder.flush()
        }
        await recorder.flush()
        let total = (clock.now - start) / .nanoseconds(1)
        let counts = recorder.counts
        guard counts.written == count else {
            throw WrongAnswer(contender: "many records", what: "\(counts.written) of \(count) records")
        }
        let size = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
            .reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        return Section.Row(
            name: "distinct connections, all",
            cells: [
                .microseconds(times.quantile(0.5)), .microseconds(total / Double(count)), .none,
                .number(Double(counts.written), decimals: 0), .number(Double(counts.repeated), decimals: 0),
                .number(Double(size) / Double(count), decimals: 0), .number(Double(counts.dropped), decimals: 0),
                .number(Double(peak - before) / 1_048_576, decimals: 1),
            ])
    }

    private func heapBytes() -> Int { Int(heap_bytes_in_use()) }
}
