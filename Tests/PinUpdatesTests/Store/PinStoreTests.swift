// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import PinUpdates

@Suite("Pin store")
struct PinStoreTests {
    private let now = ListRoom.now

    @Test("Without a file the floor is in force")
    func floor() throws {
        try withFolder { folder in
            let store = try ListRoom().store(folder)
            #expect(store.list == nil)
            #expect(store.sequence == 1)
            #expect(store.pin == TestPins.pin(1))
            #expect(store.fileProblem == nil)
        }
    }

    @Test("An accepted list is in force at once, and after a restart")
    func accepted() throws {
        try withFolder { folder in
            let room = try ListRoom()
            let store = try room.store(folder)
            let list = try room.list(7)
            #expect(try store.accept(list.bytes, at: now) == .accepted(try list.unverifiedList()))
            #expect(store.sequence == 7)
            #expect(store.pin == TestPins.pin(7))
            #expect(try store.accept(list.bytes, at: now) == .unchanged)
            let next = try room.store(folder)
            #expect(next.list == store.list)
            #expect(next.pin == TestPins.pin(7))
            #expect(refusal { try next.accept(try room.list(6).bytes, at: now) } == .rollback)
            let mode = try FileManager.default.attributesOfItem(atPath: store.file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("A stored list stays in force when it has expired and when the clock is set back", arguments: [-400, 400])
    func dates(_ days: Int64) throws {
        try withFolder { folder in
            let room = try ListRoom()
            try room.store(folder).accept(try room.list(7).bytes, at: now)
            let store = try room.store(folder)
            #expect(store.sequence == 7)
            #expect(try store.accept(try room.list(7).bytes, at: now.advanced(by: days * ListRoom.day)) == .unchanged)
        }
    }

    @Test(
        "A stored list survives an update of the app with an older floor, and yields to a newer one",
        arguments: [(3, 7), (9, 9)])
    func newFloor(_ floor: Int, _ inForce: Int) throws {
        try withFolder { folder in
            let room = try ListRoom()
            try room.store(folder).accept(try room.list(7).bytes, at: now)
            let store = try room.store(folder, floor: try room.floor(sequence: floor))
            #expect(store.sequence == inForce)
            #expect(store.fileProblem == nil)
            #expect(refusal { try store.accept(try room.list(inForce - 1).bytes, at: now) } == .rollback)
            #expect(try store.accept(try room.list(10).bytes, at: now) == .accepted(try room.list(10).unverifiedList()))
        }
    }

    static let damages: [(name: String, code: PinListRefusal.Code, damage: @Sendable ([UInt8]) -> [UInt8])] = [
        ("cut off", .truncated, { Array($0.dropLast(40)) }),
        ("empty", .truncated, { _ in [] }),
        (
            "a flipped bit", .signatureInvalid,
            { bytes in
                // In the first third of the payload, which is text of the list.
                var bytes = bytes
                bytes[60] ^= 1
                return bytes
            }
        ),
        ("something else", .malformed, { _ in Array("pins".utf8) }),
        ("too long", .storeUnreadable, { _ in [UInt8](repeating: 0x20, count: SignedPinList.maximumSize + 1) }),
    ]

    @Test("A file that isn't what the store has written is told and counts for nothing", arguments: damages.indices)
    func damaged(_ index: Int) throws {
        try withFolder { folder in
            let damage = Self.damages[index]
            let room = try ListRoom()
            let running = try room.store(folder)
            try running.accept(try room.list(7).bytes, at: now)
            let url = URL(fileURLWithPath: running.file)
            try Data(damage.damage(Array(try Data(contentsOf: url)))).write(to: url)
            // A new process has the floor; one that has verified the list keeps it.
            let store = try room.store(folder)
            #expect(store.fileProblem?.code == damage.code, "\(damage.name)")
            #expect(store.pin == TestPins.pin(1))
            running.reload()
            #expect(running.fileProblem?.code == damage.code)
            #expect(running.pin == TestPins.pin(7))
            #expect(refusal { try running.accept(try room.list(6).bytes, at: now) } == .rollback)
            // The next document heals it, the one that is in force already as well.
            #expect(try running.accept(try room.list(7).bytes, at: now) == .unchanged)
            #expect(try room.store(folder).pin == TestPins.pin(7))
        }
    }

    @Test("A file that is deleted or put back while an app runs is written anew with the next answer")
    func putBack() throws {
        try withFolder { folder in
            let room = try ListRoom()
            let store = try room.store(folder)
            let url = URL(fileURLWithPath: store.file)
            try store.accept(try room.list(7).bytes, at: now)
            let old = try Data(contentsOf: url)
            try store.accept(try room.list(8).bytes, at: now)
            for damage in [{ try FileManager.default.removeItem(at: url) }, { try old.write(to: url) }] {
                try damage()
                store.reload()
                #expect(store.sequence == 8)
                #expect(try store.accept(try room.list(8).bytes, at: now) == .unchanged)
                #expect(try room.store(folder).sequence == 8)
            }
        }
    }

    @Test("A file of somebody else's making is not believed because it is there")
    func notOnFirstUse() throws {
        try withFolder { folder in
            let room = try ListRoom()
            let stranger = try ListRoom()
            let url = folder.appendingPathComponent("pins.json")
            try Data(try stranger.list(7).bytes).write(to: url)
            let store = try room.store(folder)
            #expect(store.fileProblem?.code == .unknownSigner)
            #expect(store.pin == TestPins.pin(1))
        }
    }

    @Test("What a process accepts, another finds when it looks, and neither goes back")
    func processes() throws {
        try withFolder { folder in
            let room = try ListRoom()
            let one = try room.store(folder)
            let other = try room.store(folder)
            try one.accept(try room.list(8).bytes, at: now)
            #expect(other.sequence == 1)
            #expect(refusal { try other.accept(try room.list(7).bytes, at: now) } == .rollback)
            #expect(other.sequence == 8)
            try other.accept(try room.list(9).bytes, at: now)
            one.reload()
            #expect(one.pin == TestPins.pin(9))
        }
    }

    @Test("A list that can't be enforced is refused, and a folder that isn't there is told")
    func unusable() throws {
        try withFolder { folder in
            let room = try ListRoom()
            let store = try room.store(folder)
            let anyHost = try room.altered(
                2, #""hosts":[{"name":"api.example.com","includesName":true,"below":"nothing"}]"#, #""hosts":"any""#)
            #expect(
                refusal { try store.accept(try SignedPinList.signed(anyHost, by: [room.office]).bytes, at: now) }
                    == .pinsInvalid)
            #expect(store.pin == TestPins.pin(1))
            let nowhere = try room.store(folder.appendingPathComponent("missing"))
            #expect(refusal { try nowhere.accept(try room.list(2).bytes, at: now) } == .storeNotWritable)
            #expect(nowhere.sequence == 1)
        }
    }

    @Test("Everything that happens is told")
    func events() async throws {
        try await withFolder { folder in
            let room = try ListRoom()
            let store = try room.store(folder)
            var events = store.events.makeAsyncIterator()
            let list = try room.list(2)
            try store.accept(list.bytes, at: now)
            #expect(await events.next() == .listReplaced(try list.unverifiedList()))
            _ = refusal { try store.accept([], at: now) }
            guard case .documentRefused(let refused) = await events.next() else {
                Issue.record("not told")
                return
            }
            #expect(refused.code == .truncated)
            try Data("x".utf8).write(to: URL(fileURLWithPath: store.file))
            store.reload()
            guard case .fileRefused(let refused) = await events.next() else {
                Issue.record("not told")
                return
            }
            #expect(refused.code == .malformed)
        }
    }

    @Test("Threads that accept at once leave the highest in force, in memory, in the manager and on disk")
    func threads() async throws {
        try await withFolder { folder in
            let room = try ListRoom()
            let stores = [try room.store(folder), try room.store(folder)]
            await withTaskGroup(of: Void.self) { group in
                for sequence in 2...40 {
                    let bytes = (try? room.list(sequence).bytes) ?? []
                    group.addTask { _ = try? stores[sequence % 2].accept(bytes, at: ListRoom.now) }
                }
            }
            for store in stores {
                store.reload()
                #expect(store.sequence == 40)
                #expect(store.pin == TestPins.pin(40))
            }
            #expect(try room.store(folder).sequence == 40)
        }
    }
}
