// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import ServerTrustTesting
import Testing

@testable import ServerTrustPins

@Suite("Pin store")
struct PinStoreTests {
    private let now = ListFixture.now

    @Test("Without a file, the built-in list is current")
    func builtIn() throws {
        try withFolder { folder in
            let store = try ListFixture().store(folder)
            #expect(store.list == nil)
            #expect(store.sequence == 1)
            #expect(store.pin == TestPins.pin(1))
            #expect(store.fileProblem == nil)
        }
    }

    @Test("An accepted list takes effect immediately, and again after a restart")
    func accepted() throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let list = try fixture.list(7)
            #expect(try store.accept(list.bytes, at: now) == .accepted(try list.unverifiedList()))
            #expect(store.sequence == 7)
            #expect(store.pin == TestPins.pin(7))
            #expect(try store.accept(list.bytes, at: now) == .unchanged)
            let next = try fixture.store(folder)
            #expect(next.list == store.list)
            #expect(next.pin == TestPins.pin(7))
            #expect(refusal { try next.accept(try fixture.list(6).bytes, at: now) } == .pinListRollback)
            let mode = try FileManager.default.attributesOfItem(atPath: store.file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("A stored list stays current when it expires and when the clock is set back", arguments: [-400, 400])
    func dates(_ days: Int64) throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            try fixture.store(folder).accept(try fixture.list(7).bytes, at: now)
            let store = try fixture.store(folder)
            #expect(store.sequence == 7)
            #expect(
                try store.accept(try fixture.list(7).bytes, at: now.advanced(by: days * ListFixture.day)) == .unchanged)
        }
    }

    @Test(
        "A stored list survives an app update with an older built-in list, and yields to a newer one",
        arguments: [(3, 7), (9, 9)])
    func newBuiltInList(_ builtIn: Int, _ inForce: Int) throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            try fixture.store(folder).accept(try fixture.list(7).bytes, at: now)
            let store = try fixture.store(folder, builtIn: try fixture.builtIn(sequence: builtIn))
            #expect(store.sequence == inForce)
            #expect(store.fileProblem == nil)
            #expect(refusal { try store.accept(try fixture.list(inForce - 1).bytes, at: now) } == .pinListRollback)
            #expect(
                try store.accept(try fixture.list(10).bytes, at: now)
                    == .accepted(try fixture.list(10).unverifiedList()))
        }
    }

    static let damages: [(name: String, code: ErrorCode, damage: @Sendable ([UInt8]) -> [UInt8])] = [
        ("cut off", .pinListTruncated, { Array($0.dropLast(40)) }),
        ("empty", .pinListTruncated, { _ in [] }),
        (
            "a flipped bit", .pinListSignatureInvalid,
            { bytes in
                // In the first third of the payload, which is part of the list's text.
                var bytes = bytes
                bytes[60] ^= 1
                return bytes
            }
        ),
        ("something else", .pinListMalformed, { _ in Array("pins".utf8) }),
        (
            "too long", .pinListStoreUnreadable,
            { _ in [UInt8](repeating: 0x20, count: SignedPinList.maximumStoredSize + 1) }
        ),
    ]

    @Test("The store ignores a file that it didn't write and emits an event", arguments: damages.indices)
    func damaged(_ index: Int) throws {
        try withFolder { folder in
            let damage = Self.damages[index]
            let fixture = try ListFixture()
            let running = try fixture.store(folder)
            try running.accept(try fixture.list(7).bytes, at: now)
            let url = URL(fileURLWithPath: running.file)
            try Data(damage.damage(Array(try Data(contentsOf: url)))).write(to: url)
            // A new process uses the built-in list. A process that has verified the list keeps it.
            let store = try fixture.store(folder)
            #expect(store.fileProblem?.code == damage.code, "\(damage.name)")
            #expect(store.pin == TestPins.pin(1))
            running.reload()
            #expect(running.fileProblem?.code == damage.code)
            #expect(running.pin == TestPins.pin(7))
            #expect(refusal { try running.accept(try fixture.list(6).bytes, at: now) } == .pinListRollback)
            // The next document repairs the file, even if it is the current one.
            #expect(try running.accept(try fixture.list(7).bytes, at: now) == .unchanged)
            #expect(try fixture.store(folder).pin == TestPins.pin(7))
        }
    }

    @Test("The next list restores a file that is deleted or replaced while an app runs")
    func putBack() throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let url = URL(fileURLWithPath: store.file)
            try store.accept(try fixture.list(7).bytes, at: now)
            let old = try Data(contentsOf: url)
            try store.accept(try fixture.list(8).bytes, at: now)
            for damage in [{ try FileManager.default.removeItem(at: url) }, { try old.write(to: url) }] {
                try damage()
                store.reload()
                #expect(store.sequence == 8)
                #expect(try store.accept(try fixture.list(8).bytes, at: now) == .unchanged)
                #expect(try fixture.store(folder).sequence == 8)
            }
        }
    }

    @Test("The store ignores a file that the known keys didn't sign")
    func notOnFirstUse() throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            let stranger = try ListFixture()
            let url = folder.appendingPathComponent("pins.json")
            try Data(try stranger.list(7).bytes).write(to: url)
            let store = try fixture.store(folder)
            #expect(store.fileProblem?.code == .pinListUnknownSigner)
            #expect(store.pin == TestPins.pin(1))
        }
    }

    @Test("A process finds a list that another process accepted, and neither returns to an older one")
    func processes() throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            let one = try fixture.store(folder)
            let other = try fixture.store(folder)
            try one.accept(try fixture.list(8).bytes, at: now)
            #expect(other.sequence == 1)
            #expect(refusal { try other.accept(try fixture.list(7).bytes, at: now) } == .pinListRollback)
            #expect(other.sequence == 8)
            try other.accept(try fixture.list(9).bytes, at: now)
            one.reload()
            #expect(one.pin == TestPins.pin(9))
        }
    }

    @Test("A list that can't be enforced is refused, and so is a folder that doesn't exist")
    func unusable() throws {
        try withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let anyHost = try fixture.altered(
                2, #""hosts":[{"name":"api.example.com","includesName":true,"below":"nothing"}]"#, #""hosts":"any""#)
            #expect(
                refusal { try store.accept(try SignedPinList.signed(anyHost, by: [fixture.office]).bytes, at: now) }
                    == .pinListPinsInvalid)
            #expect(store.pin == TestPins.pin(1))
            let nowhere = try fixture.store(folder.appendingPathComponent("missing"))
            #expect(refusal { try nowhere.accept(try fixture.list(2).bytes, at: now) } == .pinListStoreNotWritable)
            #expect(nowhere.sequence == 1)
        }
    }

    @Test("The store emits an event for every change and every error")
    func events() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            var events = store.events.makeAsyncIterator()
            let list = try fixture.list(2)
            try store.accept(list.bytes, at: now)
            #expect(await events.next() == .listReplaced(try list.unverifiedList()))
            _ = refusal { try store.accept([], at: now) }
            guard case .documentRefused(let refused) = await events.next() else {
                Issue.record("not told")
                return
            }
            #expect(refused.code == .pinListTruncated)
            try Data("x".utf8).write(to: URL(fileURLWithPath: store.file))
            store.reload()
            guard case .fileRefused(let refused) = await events.next() else {
                Issue.record("not told")
                return
            }
            #expect(refused.code == .pinListMalformed)
        }
    }

    @Test("After concurrent updates, the highest list is current in memory, in the manager and on disk")
    func threads() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let stores = [try fixture.store(folder), try fixture.store(folder)]
            await withTaskGroup(of: Void.self) { group in
                for sequence in 2...40 {
                    let bytes = (try? fixture.list(sequence).bytes) ?? []
                    group.addTask { _ = try? stores[sequence % 2].accept(bytes, at: ListFixture.now) }
                }
            }
            for store in stores {
                store.reload()
                #expect(store.sequence == 40)
                #expect(store.pin == TestPins.pin(40))
            }
            #expect(try fixture.store(folder).sequence == 40)
        }
    }
}
