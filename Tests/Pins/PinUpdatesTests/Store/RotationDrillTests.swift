// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import ServerTrustLab
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

/// The steps of RotatingPins.md with real servers and clients.
@Suite("Rotation drill")
struct RotationDrillTests {
    /// An app on some machine: a store, and how many of its requests were answered and refused.
    private struct Client {
        let store: PinStore
        var answered = 0
        var refused: [LabOutcome] = []

        mutating func ask(_ server: LabServer) async throws {
            let report = try await LabClient().get(server)
            if report.status == 200 { answered += 1 } else { refused.append(report.outcome) }
        }
    }

    @Test("Clients move to new keys without a failed request, and recover when all keys are lost")
    func drill() async throws {
        try await withFolder { folder in
            let lab = try RotationLab()
            let fixture = try ListFixture()
            let keys = (0..<6).map { _ in TestKey.p256() }

            // The app is built: the server uses key 0, and key 1 is the backup.
            let builtIn = BuiltInPinList(
                audience: ListFixture.audience,
                configuration: try PinConfiguration(
                    json: try lab.pins(keys[0], backup: keys[1]), file: "pins"),
                signers: try fixture.signers(), sequence: 1, issued: lab.now.advanced(by: -10))
            var clients: [Client] = []
            for index in 0..<3 {
                let file = folder.appendingPathComponent("store-\(index).json").path
                clients.append(Client(store: try PinStore(file: file, builtIn: builtIn)))
            }
            func document(_ sequence: Int, _ inUse: Int, _ backup: Int, denied: [Int] = []) throws -> [UInt8] {
                let payload = try fixture.payload(
                    sequence, pins: try lab.pins(keys[inUse], backup: keys[backup]),
                    deniedKeys: Set(try denied.map { try lab.pin(keys[$0]) }))
                return try SignedPinList.signed(payload, by: [fixture.office]).bytes
            }
            /// Each client sends a request to the API. The clients in `updating` also request a list over the same
            /// pinned connection.
            func round(_ key: Int, list: [UInt8]?, updating: Set<Int>) async throws {
                for index in clients.indices {
                    let answer = list.map { LabResponse.text(String(decoding: $0, as: UTF8.self)) } ?? .text("hello\n")
                    let server = try await lab.server(
                        RotationLab.api, key: keys[key], manager: clients[index].store.manager, answer: answer)
                    try await clients[index].ask(server)
                    if updating.contains(index) {
                        let updater = PinUpdater(
                            store: clients[index].store, source: LabSource(server: server), clock: { lab.now })
                        #expect(await updater.update())
                    }
                    try await clients[index].ask(server)
                    await server.stop()
                }
            }

            // 1. All clients have keys 0 and 1. The server moves to key 1, and nothing fails.
            try await round(0, list: nil, updating: [])
            try await round(1, list: nil, updating: [])
            // 2. List 2: key 1 is in use, key 2 is its backup. Client 2 is offline.
            try await round(1, list: try document(2, 1, 2), updating: [0, 1])
            #expect(clients.map(\.store.sequence) == [2, 2, 1])
            // 3. Client 2 is back before the next change and catches up over the pinned connection. Then the server
            //   moves to key 2.
            try await round(1, list: try document(2, 1, 2), updating: [2])
            try await round(2, list: try document(3, 2, 3), updating: [0, 1, 2])
            #expect(clients.map(\.store.sequence) == [3, 3, 3])
            for client in clients {
                #expect(client.refused.isEmpty)
                #expect(client.answered == 10)
            }

            // All keys are lost: keys 2 and 3 are stolen. The server has key 4.
            let lost = try await lab.server(RotationLab.api, key: keys[4], manager: clients[0].store.manager)
            try await clients[0].ask(lost)
            #expect(clients[0].refused == [.refused(.pinNotMatched)])
            #expect(lost.counts.requestBytes == 0)

            // The signed list comes from a host without pins.
            let rescue = String(decoding: try document(4, 4, 5, denied: [2, 3]), as: UTF8.self)
            let recovery = try await lab.server(RotationLab.recovery, key: .p256(), answer: .text(rescue))
            let updater = PinUpdater(
                store: clients[0].store, source: LabSource(server: lost), recovery: LabSource(server: recovery),
                clock: { lab.now })
            #expect(await updater.update())
            #expect(clients[0].store.sequence == 4)
            // The same manager now trusts the same server.
            try await clients[0].ask(lost)
            #expect(clients[0].refused.count == 1)
            #expect(lost.counts.requests == 1)

            // Someone who has stolen the old key is refused, at that host and at a host without pins.
            for host in [RotationLab.api, "other.lab.test"] {
                let thief = try await lab.server(host, key: keys[2], manager: clients[0].store.manager)
                let report = try await LabClient().get(thief)
                #expect(report.verdict?.failures.contains { $0.code == .certificateDenied } == true)
                #expect(thief.counts.requestBytes == 0)
                await thief.stop()
            }
            // An interceptor of the recovery host can only withhold a list.
            let forged = try ListFixture()
            let payload = try forged.payload(5, pins: try lab.pins(keys[2], backup: keys[3]))
            let interceptor = try await lab.server(
                RotationLab.recovery, key: .p256(),
                answer: .text(
                    String(decoding: try SignedPinList.signed(payload, by: [forged.office]).bytes, as: UTF8.self)))
            let misled = PinUpdater(store: clients[0].store, source: LabSource(server: interceptor), clock: { lab.now })
            #expect(await misled.update() == false)
            #expect(clients[0].store.sequence == 4)
            for server in [lost, recovery, interceptor] { await server.stop() }
        }
    }
}
