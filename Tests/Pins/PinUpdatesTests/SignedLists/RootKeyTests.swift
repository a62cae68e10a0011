// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Root keys for signed lists") struct RootKeyTests {
    private let now = ListFixture.now

    @Test("Root keys and the new list keys can change the list keys without a signature from the old ones")
    func newSigners() throws {
        let fixture = try RootFixture()
        var listState = try fixture.listState()
        let next = try PinSigningPrivateKey(.es256)
        let signers = try [next].signers()
        let change = try SignedPinList.signed(try fixture.payload(6, signers: signers), by: fixture.enough + [next])
        _ = try listState.accept(change, at: now)
        #expect(listState.list?.signers == signers)
        // The old keys no longer count, with or without the keys that they would name.
        for payload in [try fixture.payload(7), try fixture.payload(7, signers: signers)] {
            let forged = try SignedPinList.signed(payload, by: [fixture.office, fixture.lists.safe])
            #expect(refusal { _ = try listState.accept(forged, at: now) } == .pinListUnknownSigner)
        }
        _ = try listState.accept(try .signed(try fixture.payload(7, signers: signers), by: [next]), at: now)
        #expect(listState.sequence == 7)
    }

    @Test("Root keys can name other root keys, and only the new ones count afterwards")
    func newRoot() throws {
        let fixture = try RootFixture()
        var listState = try fixture.listState()
        let root = try [PinSigningPrivateKey(.ed25519), PinSigningPrivateKey(.es256)]
        let keys = try root.signers(threshold: 2)
        _ = try listState.accept(
            try .signed(try fixture.payload(6, root: keys), by: [fixture.office] + fixture.enough + root), at: now)
        #expect(listState.list?.root == keys)
        let successors = try [fixture.thief].signers()
        let byOld = try SignedPinList.signed(
            try fixture.payload(7, signers: successors, root: keys), by: fixture.root + [fixture.office, fixture.thief])
        #expect(refusal { _ = try listState.accept(byOld, at: now) } == .pinListRootRequired)
        // The old root keys can't restore themselves either.
        let back = try SignedPinList.signed(try fixture.payload(7), by: fixture.root + [fixture.office])
        #expect(refusal { _ = try listState.accept(back, at: now) } == .pinListRootRequired)
        let next = try PinSigningPrivateKey(.ed25519)
        _ = try listState.accept(
            try .signed(try fixture.payload(7, signers: [next].signers(), root: keys), by: root + [next]), at: now)
        #expect(listState.sequence == 7)
    }

    @Test("An app gets root keys from a list signed by its signers and the root keys, and keeps them")
    func introduced() throws {
        let fixture = try RootFixture()
        let builtIn = try fixture.builtIn(hasRoot: false)
        let bare = try SignedPinList.signed(try fixture.payload(5), by: [fixture.office])
        #expect(refusal { _ = try builtIn.verify(bare, at: now) } == .pinListUnprovenSigners)
        let first = try SignedPinList.signed(try fixture.payload(5), by: [fixture.office] + fixture.enough)
        // Later lists include it.
        let rotations = try first.rotationsOfSuccessor()
        #expect(rotations == [first])
        let second = try SignedPinList.signed(try fixture.payload(6), by: [fixture.office], rotations: rotations)
        #expect(try second.rotationsOfSuccessor() == rotations)
        let without = try SignedPinList.signed(
            try fixture.payload(9, root: nil), by: [fixture.office, fixture.lists.safe])
        try withFolder { folder in
            for lists in [[first, second], [second]] {
                let store = try fixture.lists.store(folder, builtIn: builtIn)
                for list in lists { try store.accept(list.bytes, at: now) }
                #expect(store.sequence == 6)
                #expect(refusal { try store.accept(without.bytes, at: now) } == .pinListRootDropped)
                // The file contains the changes from the built-in list, which has no root keys.
                let next = try fixture.lists.store(folder, builtIn: builtIn)
                #expect(next.fileProblem == nil)
                #expect(next.list?.root == (try fixture.rootKeys()))
                #expect(refusal { try next.accept(without.bytes, at: now) } == .pinListRootDropped)
                try FileManager.default.removeItem(atPath: store.file)
            }
        }
    }

    @Test("A client follows changes by root keys that it missed", arguments: 0...2)
    func missed(_ seen: Int) throws {
        let fixture = try RootFixture()
        let second = try PinSigningPrivateKey(.ed25519)
        let third = try PinSigningPrivateKey(.ed25519)
        let newRoot = try PinSigningPrivateKey(.ed25519)
        var lists = [
            try SignedPinList.signed(
                try fixture.payload(2, signers: [second].signers()), by: fixture.enough + [second])
        ]
        let root = try [newRoot].signers()
        lists.append(
            try .signed(
                try fixture.payload(3, signers: [second].signers(), root: root),
                by: fixture.enough + [newRoot, second],
                rotations: try lists[0].rotationsOfSuccessor()))
        lists.append(
            try .signed(
                try fixture.payload(4, signers: [third].signers(), root: root), by: [newRoot, third],
                rotations: try lists[1].rotationsOfSuccessor()))
        let last = try SignedPinList.signed(
            try fixture.payload(5, signers: [third].signers(), root: root), by: [third],
            rotations: try lists[2].rotationsOfSuccessor())
        #expect(last.rotations.count == 3)
        var listState = PinListState(try fixture.builtIn())
        for list in lists.prefix(seen) { _ = try listState.accept(list, at: now) }
        _ = try listState.accept(last, at: now)
        #expect(listState.sequence == 5)
        let document = try #require(listState.document)
        var restored = PinListState(try fixture.builtIn())
        _ = try restored.accept(try SignedPinList(document.bytes), at: nil)
        #expect(restored.list == listState.list)
        // The app's root keys permit the second change with or without the first. The other changes are needed.
        for (missing, code) in [(0, nil), (1, ErrorCode.pinListUnknownSigner), (2, .pinListUnknownSigner)] {
            var rotations = last.rotations
            rotations.remove(at: missing)
            #expect(
                refusal { _ = try fixture.builtIn().verify(last.with(rotations: rotations), at: now) } == code)
        }
    }

    @Test("An app whose new release has root keys doesn't return to a stored list without them")
    func release() throws {
        try withFolder { folder in
            let fixture = try RootFixture()
            let old = try fixture.lists.store(folder, builtIn: try fixture.builtIn(hasRoot: false))
            try old.accept(
                try SignedPinList.signed(try fixture.payload(7, root: nil), by: [fixture.office]).bytes, at: now)
            let store = try fixture.lists.store(folder, builtIn: try fixture.builtIn())
            #expect(store.fileProblem?.code == .pinListRootDropped)
            #expect(store.list == nil)
            try store.accept(try fixture.list(8).bytes, at: now)
            #expect(store.sequence == 8)
            #expect(try fixture.lists.store(folder, builtIn: try fixture.builtIn()).sequence == 8)
        }
    }

    @Test(
        "A list without root keys means the same as before, and old clients ignore root keys in a list"
    )
    func compatible() throws {
        let fixture = try RootFixture()
        #expect(try fixture.payload(6, root: nil) == (try fixture.lists.payload(6)))
        #expect(try SignedPinList.signed(try fixture.payload(6, root: nil), by: []).unverifiedList().root == nil)
        // To a client of the first version, `root` is an unknown member.
        let unknown = try fixture.altered(#""root":"#, #""toor":"#)
        let builtIn = try fixture.builtIn(hasRoot: false)
        #expect(try builtIn.verify(try .signed(unknown, by: [fixture.office]), at: now).sequence == 6)
        // It doesn't accept a change that only the root keys permit.
        let change = String(
            decoding: try fixture.payload(6, signers: [fixture.thief].signers()), as: UTF8.self
        ).replacing(#""root":"#, with: #""toor":"#)
        let document = try SignedPinList.signed(Array(change.utf8), by: fixture.root + [fixture.thief])
        #expect(refusal { _ = try builtIn.verify(document, at: now) } == .pinListUnknownSigner)
    }

    @Test("A built-in list whose root keys include a signer causes an error at launch")
    func overlap() throws {
        let fixture = try RootFixture()
        let builtIn = BuiltInPinList(
            audience: ListFixture.audience, configuration: try ListFixture.configuration(1),
            signers: try fixture.lists.signers(), root: try [fixture.office].signers(), issued: now)
        try withFolder { folder in
            #expect(refusal { _ = try fixture.lists.store(folder, builtIn: builtIn) } == .pinListInvalid)
        }
        #expect(refusal { _ = try builtIn.verify(try fixture.list(6), at: now) } == .pinListInvalid)
        #expect(refusal { _ = try fixture.payload(6, root: [fixture.office].signers()) } == .pinListInvalid)
    }
}
