// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Payloads of lists to be signed") struct PinListPayloadTests {
    @Test("A payload's bytes contain its members in a fixed order")
    func bytes() throws {
        let fixture = try ListFixture()
        let stranger = try PinSigningPrivateKey(.ed25519).publicKey
        let denied = try SPKIPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        var payload = PinListPayload(
            audience: "com.example.\"app\"", sequence: 7, issued: ListFixture.now,
            expires: ListFixture.now.advanced(by: 60), pins: ListFixture.pins(7), signers: try fixture.signers())
        payload.root = try PinSigners([stranger])
        payload.deniedKeys = [denied]
        let (office, safe) = (fixture.office.publicKey.jwk, fixture.safe.publicKey.jwk)
        let expected = """
            {"version":1,"audience":"com.example.\\"app\\"","sequence":7,"issued":"2026-11-18T11:06:40Z",\
            "notBefore":"2026-11-18T11:06:40Z","expires":"2026-11-18T11:07:40Z",\
            "signers":{"threshold":1,"keys":[\(office),\(safe)]},"root":{"threshold":1,"keys":[\(stranger.jwk)]},\
            "deniedKeys":["\(denied)"],"pins":\(String(decoding: ListFixture.pins(7), as: UTF8.self))}
            """
        #expect(String(decoding: try payload.bytes(), as: UTF8.self) == expected)
    }

    @Test("A subsequent list has the next number and the same audience, keys and denied keys")
    func following() throws {
        let fixture = try RootFixture()
        var first = PinListPayload(
            audience: ListFixture.audience, sequence: 6, issued: ListFixture.now,
            expires: ListFixture.now.advanced(by: 60), pins: ListFixture.pins(6), signers: try fixture.lists.signers())
        first.root = try fixture.rootKeys()
        first.deniedKeys = [try SPKIPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
        let before = try PinList(payload: try first.bytes())
        let later = ListFixture.now.advanced(by: 30)
        let next = try PinList(
            payload: try PinListPayload(
                following: before, issued: later, expires: later.advanced(by: 60), pins: ListFixture.pins(7)
            ).bytes())
        #expect(next.sequence == 7 && next.issued == later && next.notBefore == later)
        #expect(next.audience == before.audience && next.signers == before.signers && next.root == before.root)
        #expect(next.deniedKeys == before.deniedKeys && !next.deniedKeys.isEmpty)
        #expect(next.configuration.rules.map(\.pins.count) == [1] && next.configuration != before.configuration)
    }

    @Test("Another list can follow a list with a reserved number")
    func reserve() throws {
        let fixture = try ListFixture()
        var first = PinListPayload(
            audience: ListFixture.audience, sequence: PinList.maximumSequence - 1, issued: ListFixture.now,
            expires: ListFixture.now.advanced(by: 60), pins: ListFixture.pins(6), signers: try fixture.signers())
        let error = #expect(throws: PinListError.self) { try first.bytes() }
        #expect(error?.code == .pinListInvalid)
        #expect(error?.expected == .number(PinList.maximumSequence - PinList.sequenceReserve))
        first.usesSequenceReserve = true
        let last = try PinList(payload: try first.bytes())
        let next = PinListPayload(
            following: last, issued: ListFixture.now, expires: ListFixture.now.advanced(by: 60),
            pins: ListFixture.pins(7))
        #expect(try PinList(payload: try next.bytes()).sequence == PinList.maximumSequence)
    }
}
