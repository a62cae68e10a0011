// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import Testing

@testable import ServerTrust
@testable import ServerTrustPins
@testable import ServerTrustTesting

/// How a store remembers the newest filter manifest, across app updates and in a file of limited size.
@Suite struct NewestFiltersTests {
    private static let now = ListFixture.now
    private static let older = manifest(now.secondsSinceEpoch)
    private static let newer = manifest(now.secondsSinceEpoch + 1)

    private let fixture: ListFixture

    init() throws { fixture = try ListFixture() }

    private static func manifest(_ date: Int64) -> [UInt8] {
        Array(TestFilterManifest(date: date, files: [("a.filter", [1])]).json.utf8)
    }

    private func list(
        _ sequence: Int, _ filters: [UInt8]?, pin: Int? = nil, signers: PinSigners? = nil,
        by keys: [PinSigningPrivateKey]? = nil, padding: Int = 0
    ) throws -> SignedPinList {
        var contents = PinListPayload(
            audience: ListFixture.audience, sequence: sequence, issued: Self.now,
            expires: Self.now.advanced(by: 30 * ListFixture.day), pins: ListFixture.pins(pin ?? sequence),
            signers: try signers ?? fixture.signers())
        contents.filters = filters
        var payload = try contents.bytes()
        if padding > 0 {
            payload =
                Array(#"{"note":""#.utf8) + [UInt8](repeating: 0x20, count: padding) + Array(#"","#.utf8)
                + payload.dropFirst()
        }
        return try SignedPinList.signed(payload, by: keys ?? [fixture.office])
    }

    private func accept(_ list: SignedPinList, _ store: PinStore) throws {
        try store.accept(list.bytes, at: Self.now)
    }

    /// Accepts lists as a device does before the app update.
    private func beforeUpdate(_ lists: [SignedPinList], builtIn: BuiltInPinList? = nil, _ folder: URL) throws {
        let store = try fixture.store(folder, builtIn: builtIn)
        for list in lists { try accept(list, store) }
    }

    @Test("An app's newer built-in list keeps the newest manifest that the device accepted", arguments: 0...4)
    func update(_ row: Int) throws {
        try withFolder { folder in
            switch row {
            // Current, dropped once, dropped twice, in a list with the built-in list's number.
            case 0: try beforeUpdate([list(2, Self.newer)], folder)
            case 1: try beforeUpdate([list(2, Self.newer), list(3, nil)], folder)
            case 2: try beforeUpdate([list(2, Self.newer), list(3, nil), list(4, nil)], folder)
            case 3: try beforeUpdate([list(10, Self.newer, pin: 77)], folder)
            // In the earlier built-in list.
            default: try beforeUpdate([list(3, nil)], builtIn: BuiltInPinList(list(2, Self.newer)), folder)
            }
            let builtIn = try BuiltInPinList(list(10, Self.older))
            for _ in 0..<2 {
                let store = try fixture.store(folder, builtIn: builtIn)
                #expect(store.sequence == 10)
                #expect(refusal { try accept(list(11, Self.older), store) } == .pinListRollback)
            }
            // The store still remembers it after lists without filters, restarts and another update.
            let store = try fixture.store(folder, builtIn: builtIn)
            for sequence in 11...12 { try accept(list(sequence, nil), store) }
            for builtIn in [builtIn, try BuiltInPinList(list(20, nil))] {
                let store = try fixture.store(folder, builtIn: builtIn)
                #expect(store.fileProblem == nil)
                #expect(refusal { try accept(list(21, Self.older), store) } == .pinListRollback)
            }
            let updated = try fixture.store(folder, builtIn: BuiltInPinList(list(20, nil)))
            #expect(updated.sequence == 20)
            try accept(list(21, Self.newer), updated)
            #expect(updated.sequence == 21)
        }
    }

    @Test("A store learns about a manifest from a file that is restored while it is open") func putBack() throws {
        try withFolder { folder in
            try beforeUpdate([list(2, Self.newer)], folder)
            let file = folder.appendingPathComponent("pins.json")
            let bytes = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
            let store = try fixture.store(folder, builtIn: fixture.builtIn(sequence: 10))
            try accept(list(11, Self.older), store)
            try bytes.write(to: file)
            #expect(refusal { try accept(list(12, Self.older), store) } == .pinListRollback)
            // The list without filters is newer than the current list, and the store still remembers the manifest.
            try accept(list(12, nil), store)
            let restarted = try fixture.store(folder, builtIn: fixture.builtIn(sequence: 10))
            #expect(restarted.sequence == 12)
            #expect(refusal { try accept(list(13, Self.older), restarted) } == .pinListRollback)
        }
    }

    @Test("The store remembers only lists that the built-in list's keys signed, and only from its own file")
    func authenticity() throws {
        let thief = try PinSigningPrivateKey(.ed25519)
        let stolen = try list(2, Self.newer, signers: PinSigners([thief.publicKey]), by: [thief])
        let builtIn = try fixture.builtIn(sequence: 10)
        var state = PinListState(builtIn)
        state.recallFilters(in: try list(3, nil).with(rotations: [stolen]))
        #expect(state.newestFilters == nil)
        // A server can't make the store remember old lists.
        let sent = try list(11, nil).with(rotations: [list(2, Self.newer)])
        _ = try state.accept(sent, at: Self.now)
        #expect(state.newestFilters == nil)
        state = PinListState(builtIn)
        state.recallFilters(in: try list(2, Self.newer))
        #expect(state.newestFilters == Self.now.advanced(by: 1))
        // A built-in document without signatures is never stored.
        var unsigned = try PinListState(BuiltInPinList(list(2, Self.newer, by: [])))
        _ = try unsigned.accept(list(3, nil), at: Self.now)
        #expect(unsigned.newestFilters == Self.now.advanced(by: 1))
        #expect(unsigned.document?.rotations.isEmpty == true)
    }

    @Test(
        "A dropped manifest doesn't reduce the space for rotations: 60 rotations and its list can be stored and read again"
    )
    func rotations() throws {
        let builtIn = try fixture.builtIn()
        var state = PinListState(builtIn)
        _ = try state.accept(list(2, Self.newer), at: Self.now)
        let both = [fixture.office, fixture.safe]
        let last = 3 + SignedPinList.maximumRotations
        for sequence in 3...last {
            let signers = try PinSigners([both[sequence % 2].publicKey])
            _ = try state.accept(list(sequence, nil, signers: signers, by: both), at: Self.now)
        }
        let document = try #require(state.document)
        #expect(document.rotations.count == SignedPinList.maximumRotations + 1)
        let signers = try PinSigners([both[(last + 1) % 2].publicKey])
        #expect(
            refusal { _ = try state.accept(list(last + 1, nil, signers: signers, by: both), at: Self.now) }
                == .pinListTooLarge)
        #expect(state.document == document)
        #expect(refusal { _ = try SignedPinList(document.bytes) } == .pinListTooLarge)
        var restored = PinListState(builtIn)
        _ = try restored.accept(SignedPinList(stored: document.bytes), at: nil)
        #expect(restored.document == document)
        #expect(restored.sequence == last)
        #expect(
            refusal { _ = try restored.accept(list(last + 1, Self.older, by: both), at: Self.now) } == .pinListRollback)
        // One more is also refused in a file.
        let tooMany = document.with(rotations: [try list(2, nil)] + document.rotations)
        #expect(refusal { _ = try SignedPinList(stored: tooMany.bytes) } == .pinListTooLarge)
    }

    @Test("A dropped manifest doesn't reduce the space for large lists") func size() throws {
        var state = PinListState(try fixture.builtIn())
        let padding = SignedPinList.maximumSize / 5 * 2
        _ = try state.accept(list(2, Self.newer, padding: padding), at: Self.now)
        _ = try state.accept(list(3, nil, padding: padding), at: Self.now)
        let size = try #require(state.document?.bytes.count)
        #expect((SignedPinList.maximumSize + 1...SignedPinList.maximumStoredSize).contains(size))
        #expect(state.newestFilters == Self.now.advanced(by: 1))
        let tooLong = [UInt8](repeating: 0x20, count: SignedPinList.maximumStoredSize + 1)
        #expect(refusal { _ = try SignedPinList(stored: tooLong) } == .pinListTooLarge)
    }
}
