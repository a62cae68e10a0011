// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Values in signed list errors") struct PinListErrorTests {
    private static let now = ListFixture.now

    /// Returns the error for a list that the office signed, from a client whose current list is number 5.
    private func error(
        of payload: (ListFixture) throws -> [UInt8], at time: Time = now
    ) throws -> PinListError {
        let fixture = try ListFixture()
        var listState = PinListState(try fixture.builtIn())
        _ = try listState.accept(try fixture.list(5), at: Self.now)
        let document = try SignedPinList.signed(try payload(fixture), by: [fixture.office])
        return try #require(
            #expect(throws: PinListError.self) { _ = try listState.accept(document, at: time) })
    }

    @Test("The error for an older list contains its number and the lowest accepted number")
    func rollback() throws {
        let error = try error { try $0.payload(4) }
        #expect(error.code == .pinListRollback)
        #expect(error.found == .number(4) && error.expected == .number(6))
    }

    @Test("The error for an expired list contains its date and the clock's")
    func expired() throws {
        let late = Self.now.advanced(by: 31 * ListFixture.day)
        let error = try error(of: { try $0.payload(6) }, at: late)
        #expect(error.code == .pinListExpired)
        #expect(error.found == .time(late))
        #expect(error.expected == .time(Self.now.advanced(by: 30 * ListFixture.day)))
    }

    @Test("The error for another app's list contains both audiences")
    func audience() throws {
        let error = try error { try $0.payload(6, audience: "com.example.other") }
        #expect(error.code == .pinListForeignAudience)
        #expect(error.found == .text("com.example.other") && error.expected == .text(ListFixture.audience))
    }

    @Test("The error for a wrong value contains its place")
    func member() throws {
        let error = try error { try $0.altered(6, #""sequence":6"#, #""sequence":6.5"#) }
        #expect(error.code == .pinListInvalid)
        #expect(error.place == "the list, sequence")
    }

    @Test("The error for a list from an unknown signer contains the signers and the keys that may sign")
    func stranger() throws {
        let fixture = try ListFixture()
        let stranger = try PinSigningPrivateKey(.ed25519)
        let document = try SignedPinList.signed(try fixture.payload(6), by: [stranger])
        let error = try #require(
            #expect(throws: PinListError.self) { try fixture.builtIn().verify(document, at: Self.now) })
        #expect(error.code == .pinListUnknownSigner)
        #expect(error.found == .list([stranger.publicKey.id]))
        #expect(error.expected == .list([fixture.office.publicKey.id, fixture.safe.publicKey.id]))
    }

    @Test("Messages contain a code's short name")
    func shortNames() throws {
        let error = try error { try $0.payload(4) }
        #expect(error.description == error.message + " [rollback]")
        #expect(ErrorCode.pinListInvalid.inPinList == "listInvalid")
    }
}
