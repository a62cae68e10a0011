// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import PinUpdates

@Suite("Signing keys and their rotation")
struct RotationTests {
    private let now = ListRoom.now

    @Test(
        "A key reads back from PEM, public and private, and its name doesn't change",
        arguments: PinSigningKey.Algorithm.allCases)
    func keys(_ algorithm: PinSigningKey.Algorithm) throws {
        let key = try PinSigningPrivateKey(algorithm)
        #expect(key.publicKey.algorithm == algorithm)
        #expect(try PinSigningKey(pem: key.publicKey.pem) == key.publicKey)
        #expect(try PinSigningPrivateKey(pem: key.pem).publicKey == key.publicKey)
        #expect(throws: PinSigningKeyError.self) { try PinSigningKey(pem: key.pem) }
        #expect(throws: PinSigningKeyError.self) { try PinSigningPrivateKey(pem: key.publicKey.pem) }
    }

    @Test("The name of a key is the thumbprint of RFC 8037's example")
    func thumbprint() throws {
        // RFC 8037 appendices A.2 and A.3.
        let key = try PinSigningKey(
            .ed25519, try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")))
        #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test("A signature is that of RFC 8037's example")
    func signature() throws {
        // RFC 8037 appendix A.4.
        let key = try PinSigningKey(
            .ed25519, try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")))
        let message = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
        #expect(key.verifies(signature, over: Array(message.utf8)))
        #expect(!key.verifies(signature, over: Array((message + "A").utf8)))
    }

    @Test("A set of signers has a threshold that can be met, and no key twice")
    func signers() throws {
        let keys = try (0..<17).map { _ in try PinSigningPrivateKey(.ed25519).publicKey }
        #expect(throws: PinSignersError.noKey) { try PinSigners([]) }
        #expect(throws: PinSignersError.tooMany(17)) { try PinSigners(keys) }
        #expect(throws: PinSignersError.duplicate) { try PinSigners([keys[0], keys[0]], threshold: 2) }
        #expect(throws: PinSignersError.threshold(0, 1)) { try PinSigners([keys[0]], threshold: 0) }
        #expect(throws: PinSignersError.threshold(2, 1)) { try PinSigners([keys[0]], threshold: 2) }
        #expect(try PinSigners(Array(keys.prefix(16)), threshold: 16).threshold == 16)
    }

    @Test("Two of two have to sign, and one alone doesn't do")
    func threshold() throws {
        let room = try ListRoom()
        let floor = try room.floor(threshold: 2)
        let payload = try room.payload(2, signers: try room.signers(threshold: 2))
        let one = try SignedPinList.signed(payload, by: [room.office])
        #expect(refusal { _ = try floor.verify(one, at: now) } == .belowThreshold)
        // A stranger beside doesn't count, and the other signer may come later.
        let stranger = try PinSigningPrivateKey(.ed25519)
        #expect(refusal { _ = try floor.verify(try one.adding([stranger]), at: now) } == .belowThreshold)
        #expect(try floor.verify(try one.adding([room.safe, stranger]), at: now).sequence == 2)
    }

    /// Lists 2 to 4, each of which goes over to another key, and 5, which stays.
    private func history(_ room: ListRoom) throws -> (lists: [SignedPinList], keys: [PinSigningPrivateKey]) {
        var keys = [room.office]
        var lists: [SignedPinList] = []
        for sequence in 2...4 {
            let next = try PinSigningPrivateKey(sequence == 3 ? .es256 : .ed25519)
            let payload = try room.payload(
                sequence, issued: now.advanced(by: Int64(sequence)), expires: now.advanced(by: 100),
                signers: try PinSigners([next.publicKey]))
            lists.append(try .signed(payload, by: [keys[keys.count - 1], next]))
            keys.append(next)
        }
        let last = try PinSigners([keys[3].publicKey])
        lists.append(
            try .signed(
                try room.payload(5, issued: now.advanced(by: 200), signers: last), by: [keys[3]], rotations: lists))
        return (lists, keys)
    }

    @Test("A client that has missed the rotations gets from key to key, whatever it has seen", arguments: 0...3)
    func missed(_ seen: Int) throws {
        let room = try ListRoom()
        let (lists, _) = try history(room)
        var standing = PinStanding(try room.floor())
        for list in lists.prefix(seen) { _ = try standing.accept(list, at: now.advanced(by: 10)) }
        #expect(standing.sequence == seen + 1)
        // The rotations have expired by now; they lead on all the same.
        guard case .newer(let list) = try standing.accept(lists[3], at: now.advanced(by: 300)) else {
            Issue.record("not accepted")
            return
        }
        #expect(list.sequence == 5)
        // What is stored leads from the floor to the list, without what isn't needed, and without a date.
        let document = try #require(standing.document)
        #expect(document.rotations.count == 3)
        var restored = PinStanding(try room.floor())
        _ = try restored.accept(try SignedPinList(document.bytes), at: nil)
        #expect(restored.list == list)
        #expect(restored.document == document)
    }

    @Test("Without the rotation in between a client is told that it doesn't know the keys")
    func gap() throws {
        let room = try ListRoom()
        let (lists, _) = try history(room)
        let floor = try room.floor()
        for missing in 0...2 {
            var rotations = lists[3].rotations
            rotations.remove(at: missing)
            #expect(
                refusal { _ = try floor.verify(lists[3].with(rotations: rotations), at: now.advanced(by: 300)) }
                    == .unknownSigner)
        }
        #expect(
            refusal {
                _ = try floor.verify(lists[3].with(rotations: lists[3].rotations.reversed()), at: now.advanced(by: 300))
            }
                == .unknownSigner)
    }

    @Test("Keys that were rotated away sign nothing any more")
    func oldKeys() throws {
        let room = try ListRoom()
        let (lists, keys) = try history(room)
        var standing = PinStanding(try room.floor())
        _ = try standing.accept(lists[3], at: now.advanced(by: 300))
        for key in keys.prefix(3) {
            let forged = try SignedPinList.signed(
                try room.payload(9, issued: now.advanced(by: 400), signers: try PinSigners([key.publicKey])), by: [key])
            #expect(refusal { _ = try standing.accept(forged, at: now.advanced(by: 500)) } == .unknownSigner)
            // Nor as a rotation before a list.
            #expect(
                refusal {
                    _ = try standing.accept(forged.with(rotations: lists[3].rotations), at: now.advanced(by: 500))
                }
                    == .unknownSigner)
        }
        #expect(standing.sequence == 5)
    }

    @Test("Old rotations that share a key with the present signers are passed over, and a broken one is not")
    func sharedKeys() throws {
        let room = try ListRoom()
        let third = try PinSigningPrivateKey(.ed25519)
        let first = try PinSigners([room.office.publicKey, room.safe.publicKey], threshold: 2)
        let second = try PinSigners([room.office.publicKey, third.publicKey], threshold: 2)
        let one = try SignedPinList.signed(try room.payload(2, signers: first), by: [room.office, room.safe])
        let two = try SignedPinList.signed(
            try room.payload(3, signers: second), by: [room.office, room.safe, third], rotations: [one])
        let three = try SignedPinList.signed(
            try room.payload(4, signers: second), by: [room.office, third], rotations: [one, two])
        var standing = PinStanding(try room.floor(threshold: 2))
        _ = try standing.accept(two, at: now)
        // The office has signed list 2, too, and alone it is not enough for those who know the third key.
        _ = try standing.accept(three, at: now)
        #expect(standing.sequence == 4)
        var broken = three.rotations
        broken[0] = SignedPinList(payload: two.payload, signatures: one.signatures, rotations: [])
        #expect(
            refusal { _ = try room.floor(threshold: 2).verify(three.with(rotations: broken), at: now) }
                == .signatureInvalid)
    }

    @Test(
        "base64url has one form for each value",
        arguments: ["A", "AB", "AAB", "AA==", "AA=", "+A", "/A", "A A", "AA\n", "AÄ", "====", "AAAAA"])
    func base64url(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("base64url reads back", arguments: 0...9)
    func base64urlRoundTrip(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 255 - $0 * 37) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test("A rotation of a future date isn't followed before its time")
    func earlyRotation() throws {
        let room = try ListRoom()
        let next = try PinSigningPrivateKey(.ed25519)
        let signers = try PinSigners([next.publicKey])
        let rotation = try SignedPinList.signed(
            try room.payload(2, notBefore: now.advanced(by: 1000), signers: signers), by: [room.office, next])
        let list = try SignedPinList.signed(
            try room.payload(3, signers: signers), by: [next], rotations: [rotation])
        #expect(refusal { _ = try room.floor().verify(list, at: now) } == .notYetValid)
        #expect(try room.floor().verify(list, at: now.advanced(by: 1000)).sequence == 3)
    }

    @Test("A rotation needs both the old keys and the new")
    func halfRotation() throws {
        let room = try ListRoom()
        let next = try PinSigningPrivateKey(.ed25519)
        let payload = try room.payload(2, signers: try PinSigners([next.publicKey]))
        #expect(
            refusal { _ = try room.floor().verify(try .signed(payload, by: [room.office]), at: now) }
                == .unprovenSigners)
        #expect(refusal { _ = try room.floor().verify(try .signed(payload, by: [next]), at: now) } == .unknownSigner)
        #expect(try room.floor().verify(try .signed(payload, by: [next, room.office]), at: now).sequence == 2)
    }

    @Test("The list that an app is built with is no news to it")
    func builtIn() throws {
        let room = try ListRoom()
        let list = try room.list(5)
        var standing = PinStanding(try PinFloor(builtIn: list))
        guard case .unchanged(let same) = try standing.accept(list, at: now) else {
            Issue.record("taken for another one")
            return
        }
        #expect(same.sequence == 5)
        #expect(standing.list == nil)
        let other = try SignedPinList.signed(try room.payload(5, pins: ListRoom.pins(77)), by: [room.office])
        #expect(refusal { _ = try standing.accept(other, at: now) } == .sequenceReused)
        #expect(refusal { _ = try standing.accept(try room.list(4), at: now) } == .rollback)
        _ = try standing.accept(try room.list(6), at: now)
        #expect(standing.sequence == 6)
    }

    @Test("Members that aren't known and not critical are left alone")
    func unknownMembers() throws {
        let room = try ListRoom()
        let payload = try room.altered(2, #""version":1"#, #""version":1,"note":{"by":["me"]}"#)
        #expect(try room.floor().verify(try .signed(payload, by: [room.office]), at: now).sequence == 2)
        // Known ones may be named as critical.
        let named = try room.altered(2, #""version":1"#, #""version":1,"critical":["pins","deniedKeys"]"#)
        #expect(try room.floor().verify(try .signed(named, by: [room.office]), at: now).sequence == 2)
    }
}
