// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Signing keys and their rotation")
struct RotationTests {
    private let now = ListFixture.now

    @Test(
        "A public or private key read from its PEM has the same name",
        arguments: PinSigningKey.Algorithm.allCases)
    func keys(_ algorithm: PinSigningKey.Algorithm) throws {
        let key = try PinSigningPrivateKey(algorithm)
        #expect(key.publicKey.algorithm == algorithm)
        #expect(try PinSigningKey(pem: key.publicKey.pem) == key.publicKey)
        #expect(try PinSigningPrivateKey(pem: key.pem).publicKey == key.publicKey)
        let ofPrivate = #expect(throws: PinSigningKeyError.self) { try PinSigningKey(pem: key.pem) }
        let ofPublic = #expect(throws: PinSigningKeyError.self) { try PinSigningPrivateKey(pem: key.publicKey.pem) }
        #expect(ofPrivate?.code == .pinSigningKeyNotPEM && ofPublic?.code == .pinSigningKeyNotPEM)
        let secret = key.pem.split(separator: "\n")[1]
        #expect(ofPrivate?.message.contains(secret) == false)
    }

    @Test("The name of the key in RFC 8037 matches the thumbprint in its example")
    func thumbprint() throws {
        // RFC 8037 appendices A.2 and A.3.
        let key = try PinSigningKey(
            .ed25519, try #require(Base64URL.decode("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")))
        #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test("The signature of the key in RFC 8037 matches the one in its example")
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

    @Test("A set of signers has a threshold that can be met, and contains no key twice")
    func signers() throws {
        let keys = try (0..<17).map { _ in try PinSigningPrivateKey(.ed25519).publicKey }
        #expect(throws: PinSignersError(.pinSignersEmpty)) { try PinSigners([]) }
        #expect(throws: PinSignersError(.pinSignersTooMany, count: 17)) { try PinSigners(keys) }
        #expect(throws: PinSignersError(.pinSignersDuplicate, count: 2)) {
            try PinSigners([keys[0], keys[0]], threshold: 2)
        }
        #expect(throws: PinSignersError(.pinSignersThreshold, count: 1, threshold: 0)) {
            try PinSigners([keys[0]], threshold: 0)
        }
        #expect(throws: PinSignersError(.pinSignersThreshold, count: 1, threshold: 2)) {
            try PinSigners([keys[0]], threshold: 2)
        }
        #expect(try PinSigners(Array(keys.prefix(16)), threshold: 16).threshold == 16)
    }

    @Test("With a threshold of two, both keys must sign")
    func threshold() throws {
        let fixture = try ListFixture()
        let builtIn = try fixture.builtIn(threshold: 2)
        let payload = try fixture.payload(2, signers: try fixture.signers(threshold: 2))
        let one = try SignedPinList.signed(payload, by: [fixture.office])
        #expect(refusal { _ = try builtIn.verify(one, at: now) } == .pinListBelowThreshold)
        // An unknown key's signature doesn't count, but the others do.
        let stranger = try PinSigningPrivateKey(.ed25519)
        #expect(refusal { _ = try builtIn.verify(try one.adding([stranger]), at: now) } == .pinListBelowThreshold)
        #expect(try builtIn.verify(try one.adding([fixture.safe, stranger]), at: now).sequence == 2)
    }

    /// Returns lists 2 to 4, each of which moves to another key, and list 5, which keeps its key.
    private func history(_ fixture: ListFixture) throws -> (lists: [SignedPinList], keys: [PinSigningPrivateKey]) {
        var keys = [fixture.office]
        var lists: [SignedPinList] = []
        for sequence in 2...4 {
            let next = try PinSigningPrivateKey(sequence == 3 ? .es256 : .ed25519)
            let payload = try fixture.payload(
                sequence, issued: now.advanced(by: Int64(sequence)), expires: now.advanced(by: 100),
                signers: try PinSigners([next.publicKey]))
            lists.append(try .signed(payload, by: [keys[keys.count - 1], next]))
            keys.append(next)
        }
        let last = try PinSigners([keys[3].publicKey])
        lists.append(
            try .signed(
                try fixture.payload(5, issued: now.advanced(by: 200), signers: last), by: [keys[3]], rotations: lists))
        return (lists, keys)
    }

    @Test("A client that missed rotations follows them to the current keys", arguments: 0...3)
    func missed(_ seen: Int) throws {
        let fixture = try ListFixture()
        let (lists, _) = try history(fixture)
        var listState = PinListState(try fixture.builtIn())
        for list in lists.prefix(seen) { _ = try listState.accept(list, at: now.advanced(by: 10)) }
        #expect(listState.sequence == seen + 1)
        // The rotations have expired by now, but still count.
        guard case .newer(let list) = try listState.accept(lists[3], at: now.advanced(by: 300)) else {
            Issue.record("not accepted")
            return
        }
        #expect(list.sequence == 5)
        // The stored document leads from the built-in list to the new one. It contains only the necessary rotations and
        // no date.
        let document = try #require(listState.document)
        #expect(document.rotations.count == 3)
        var restored = PinListState(try fixture.builtIn())
        _ = try restored.accept(try SignedPinList(document.bytes), at: nil)
        #expect(restored.list == list)
        #expect(restored.document == document)
    }

    @Test("If a rotation is missing, the signers are unknown")
    func gap() throws {
        let fixture = try ListFixture()
        let (lists, _) = try history(fixture)
        let builtIn = try fixture.builtIn()
        for missing in 0...2 {
            var rotations = lists[3].rotations
            rotations.remove(at: missing)
            #expect(
                refusal { _ = try builtIn.verify(lists[3].with(rotations: rotations), at: now.advanced(by: 300)) }
                    == .pinListUnknownSigner)
        }
        #expect(
            refusal {
                _ = try builtIn.verify(
                    lists[3].with(rotations: lists[3].rotations.reversed()), at: now.advanced(by: 300))
            }
                == .pinListUnknownSigner)
    }

    @Test("Keys that were rotated out can't sign a list")
    func oldKeys() throws {
        let fixture = try ListFixture()
        let (lists, keys) = try history(fixture)
        var listState = PinListState(try fixture.builtIn())
        _ = try listState.accept(lists[3], at: now.advanced(by: 300))
        for key in keys.prefix(3) {
            let forged = try SignedPinList.signed(
                try fixture.payload(9, issued: now.advanced(by: 400), signers: try PinSigners([key.publicKey])),
                by: [key])
            #expect(refusal { _ = try listState.accept(forged, at: now.advanced(by: 500)) } == .pinListUnknownSigner)
            // They can't sign a rotation before a list either.
            #expect(
                refusal {
                    _ = try listState.accept(forged.with(rotations: lists[3].rotations), at: now.advanced(by: 500))
                }
                    == .pinListUnknownSigner)
        }
        #expect(listState.sequence == 5)
    }

    @Test("Old rotations that share a key with the current signers are skipped, and an invalid one is refused")
    func sharedKeys() throws {
        let fixture = try ListFixture()
        let third = try PinSigningPrivateKey(.ed25519)
        let first = try PinSigners([fixture.office.publicKey, fixture.safe.publicKey], threshold: 2)
        let second = try PinSigners([fixture.office.publicKey, third.publicKey], threshold: 2)
        let one = try SignedPinList.signed(try fixture.payload(2, signers: first), by: [fixture.office, fixture.safe])
        let two = try SignedPinList.signed(
            try fixture.payload(3, signers: second), by: [fixture.office, fixture.safe, third], rotations: [one])
        let three = try SignedPinList.signed(
            try fixture.payload(4, signers: second), by: [fixture.office, third], rotations: [one, two])
        var listState = PinListState(try fixture.builtIn(threshold: 2))
        _ = try listState.accept(two, at: now)
        // The office also signed list 2. Its signature isn't enough for clients that know the third key.
        _ = try listState.accept(three, at: now)
        #expect(listState.sequence == 4)
        var broken = three.rotations
        broken[0] = SignedPinList(payload: two.payload, signatures: one.signatures, rotations: [])
        #expect(
            refusal { _ = try fixture.builtIn(threshold: 2).verify(three.with(rotations: broken), at: now) }
                == .pinListSignatureInvalid)
    }

    @Test(
        "Base64url in a non-canonical form is refused",
        arguments: ["A", "AB", "AAB", "AA==", "AA=", "+A", "/A", "A A", "AA\n", "AÄ", "====", "AAAAA"])
    func base64url(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("Bytes can be read back from their base64url", arguments: 0...9)
    func base64urlRoundTrip(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 255 - $0 * 37) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test("A client doesn't follow a rotation before its first second")
    func earlyRotation() throws {
        let fixture = try ListFixture()
        let next = try PinSigningPrivateKey(.ed25519)
        let signers = try PinSigners([next.publicKey])
        let rotation = try SignedPinList.signed(
            try fixture.payload(2, notBefore: now.advanced(by: 1000), signers: signers), by: [fixture.office, next])
        let list = try SignedPinList.signed(
            try fixture.payload(3, signers: signers), by: [next], rotations: [rotation])
        #expect(refusal { _ = try fixture.builtIn().verify(list, at: now) } == .pinListNotYetValid)
        #expect(try fixture.builtIn().verify(list, at: now.advanced(by: 1000)).sequence == 3)
    }

    @Test("A rotation needs both the old and the new keys")
    func halfRotation() throws {
        let fixture = try ListFixture()
        let next = try PinSigningPrivateKey(.ed25519)
        let payload = try fixture.payload(2, signers: try PinSigners([next.publicKey]))
        #expect(
            refusal { _ = try fixture.builtIn().verify(try .signed(payload, by: [fixture.office]), at: now) }
                == .pinListUnprovenSigners)
        #expect(
            refusal { _ = try fixture.builtIn().verify(try .signed(payload, by: [next]), at: now) }
                == .pinListUnknownSigner)
        #expect(try fixture.builtIn().verify(try .signed(payload, by: [next, fixture.office]), at: now).sequence == 2)
    }

    @Test("The built-in list doesn't count as a new list")
    func builtIn() throws {
        let fixture = try ListFixture()
        let list = try fixture.list(5)
        var listState = PinListState(try BuiltInPinList(list))
        guard case .unchanged(let same) = try listState.accept(list, at: now) else {
            Issue.record("accepted as a different list")
            return
        }
        #expect(same.sequence == 5)
        #expect(listState.list == nil)
        let other = try SignedPinList.signed(try fixture.payload(5, pins: ListFixture.pins(77)), by: [fixture.office])
        #expect(refusal { _ = try listState.accept(other, at: now) } == .pinListSequenceReused)
        #expect(refusal { _ = try listState.accept(try fixture.list(4), at: now) } == .pinListRollback)
        _ = try listState.accept(try fixture.list(6), at: now)
        #expect(listState.sequence == 6)
    }

    @Test("Clients ignore unknown members that aren't critical")
    func unknownMembers() throws {
        let fixture = try ListFixture()
        let payload = try fixture.altered(2, #""version":1"#, #""version":1,"note":{"by":["me"]}"#)
        #expect(try fixture.builtIn().verify(try .signed(payload, by: [fixture.office]), at: now).sequence == 2)
        // The header may mark known members as critical.
        let named = try fixture.altered(2, #""version":1"#, #""version":1,"critical":["pins","deniedKeys"]"#)
        #expect(try fixture.builtIn().verify(try .signed(named, by: [fixture.office]), at: now).sequence == 2)
    }

    @Test("A list with the number of a built-in list without a document is checked like any other")
    func builtInNumber()
        throws
    {
        let fixture = try ListFixture()
        let builtIn = try fixture.builtIn(sequence: 7)
        let now = ListFixture.now
        let expired = try SignedPinList.signed(
            try fixture.payload(7, expires: now.advanced(by: 10)), by: [fixture.office])
        #expect(try builtIn.verify(expired, at: now).sequence == 7)
        #expect(refusal { _ = try builtIn.verify(expired, at: now.advanced(by: 20)) } == .pinListExpired)
        let thief = try PinSigningPrivateKey(.ed25519)
        let unproven = try SignedPinList.signed(
            try fixture.payload(7, signers: try PinSigners([thief.publicKey])), by: [fixture.office])
        #expect(refusal { _ = try builtIn.verify(unproven, at: now) } == .pinListUnprovenSigners)
    }
}
