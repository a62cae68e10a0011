// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import TrustScenes

/// A folder with records of a trusted and a refused connection, written by the recorder.
struct ReplayScene {
    let folder: TemporaryFolder
    let scene: TrustScene
    /// The folder of the records.
    let records: String

    /// The pin of the scene's leaf.
    var leafPin: String { SPKIPin(scene.leaf).description }
    /// The pin of the scene's intermediate.
    var issuerPin: String { SPKIPin(scene.intermediate.certificate).description }

    /// Records a connection with the leaf's pin, and one to another host.
    init(_ folder: TemporaryFolder) async throws {
        self.folder = folder
        scene = try TrustScene()
        records = folder.url.appendingPathComponent("verdicts").path
        let recorder = TrustRecorder(folder: records, recording: .all)
        let pins = try scene.pins(scene.leaf)
        let manager = try ServerTrustManager(evaluators: [
            TrustScene.name: pins, "other.example.com": DefaultTrustEvaluator(),
        ])
        manager.events.add(recorder)
        _ = manager.evaluate(scene.trust())
        _ = manager.evaluate(scene.trust(host: try Hostname("other.example.com")))
        await recorder.flush()
    }

    /// The file of the records.
    func file() throws -> URL {
        let names = try FileManager.default.contentsOfDirectory(atPath: records).filter { $0.hasSuffix(".ndjson") }
        return URL(fileURLWithPath: records).appendingPathComponent(names[0])
    }

    /// Runs the replay of the records with JSON as its format.
    func replay(_ options: [String]) throws -> Tool.Outcome {
        try Tool.run(["audit", "--replay", records, "--format", "json"] + options)
    }

    /// Writes certificates into a file.
    func pem(_ certificates: [Certificate]) throws -> String {
        let text = certificates.map { PEM.encode($0.der, label: "CERTIFICATE") }.joined()
        return try folder.write("\(UUID().uuidString).pem", Data(text.utf8)).path
    }

    /// Writes a pin file for hosts.
    func pins(_ hosts: [(host: String, pins: [String])]) throws -> String {
        let rules = hosts.map { host, pins in
            let keys = pins.enumerated().map { place, pin in
                ["key": pin, "scope": "anywhere", "role": place == 0 ? "inUse" : "backup"]
            }
            let domain: [String: Any] = ["name": host, "includesName": true, "below": "nothing"]
            return ["mode": "enforced", "hosts": [domain], "pins": keys] as [String: Any]
        }
        let json = try JSONSerialization.data(withJSONObject: [
            "schemaVersion": 1, "selection": "mostSpecific", "unlistedHosts": "evaluatedByDefault", "rules": rules,
        ])
        return try folder.write("pins-\(UUID().uuidString).json", json).path
    }
}

/// The JSON of a replay.
struct ReplayJSON: Decodable {
    struct Example: Decodable {
        var outcome: String
        var line: Int
        var message: String?
        var remedy: String?
        var replayed: Verdict?
    }
    struct Verdict: Decodable { var codes: [String] }
    struct Obstacle: Decodable { var name: String }
    struct Gap: Decodable {
        var host: String?
        var reason: String
    }
    struct Host: Decodable {
        var name: String?
        var outcome: String
        var allowed: Bool
        var code: String?
        var since: String?
        var party: String?
        var reason: String?
        var remedy: String?
        var command: String?
    }
    var headline: String
    var outcome: String
    var gaps: [Gap]
    var hosts: [Host]
    var connections: [String: Int]
    var records: [String: Int]
    var forecasts: Int
    var hostsWithoutRecord: [String]
    var obstacles: [Obstacle]
    var examples: [Example]
}
