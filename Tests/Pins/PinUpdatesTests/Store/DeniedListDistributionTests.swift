// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrustTesting
import Testing

@testable import ServerTrust
@testable import ServerTrustPins

/// Lists of denied certificates inside signed pin lists.
@Suite struct DeniedListDistributionTests {
    private static let now = ListFixture.now

    private let fixture: ListFixture
    private let root: TestAuthority

    init() throws {
        fixture = try ListFixture()
        root = try TestAuthority.root()
    }

    private func oneCRL(_ certificate: Certificate) -> [UInt8] {
        Array(
            #"[{"issuerName":"\#(Base64.encode(certificate.issuer.der))","serialNumber":"\#(Base64.encode(certificate.serialNumber.bytes))"}]"#
                .utf8)
    }

    private func list(_ sequence: Int, denied: [[UInt8]]) throws -> [UInt8] {
        var payload = PinListPayload(
            audience: ListFixture.audience, sequence: sequence, issued: Self.now,
            expires: Self.now.advanced(by: 30 * ListFixture.day), pins: ListFixture.pins(sequence),
            signers: try fixture.signers())
        payload.deniedLists = denied
        return try SignedPinList.signed(try payload.bytes(), by: [fixture.office]).bytes
    }

    private func trust() throws -> Trust {
        let leaf = try root.issue(.leaf("www.example.com"))
        var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(Self.now)
        return trust
    }

    @Test("A store's clients refuse certificates that the current list denies, even after a restart")
    func use() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("pins.json").path
            let builtIn = try fixture.builtIn()
            let store = try PinStore(file: file, builtIn: builtIn)
            let trust = try trust()
            #expect(store.manager.evaluate(trust).isTrusted)
            let other = oneCRL(try TestAuthority.root(.authority("Other")).certificate)
            let older = try list(2, denied: [])
            try store.accept(list(3, denied: [other, oneCRL(root.certificate)]), at: Self.now)
            for store in [store, try PinStore(file: file, builtIn: builtIn)] {
                #expect(store.manager.evaluate(trust).failures.map(\.code) == [.certificateDenied])
                #expect(store.list?.denied?.certificates.count == 2)
                // An older list doesn't remove them.
                #expect(refusal { try store.accept(older, at: Self.now) } == .pinListRollback)
                #expect(!store.manager.evaluate(trust).isTrusted)
            }
            try store.accept(list(4, denied: [other]), at: Self.now)
            #expect(store.manager.evaluate(trust).isTrusted)
            try store.accept(list(5, denied: []), at: Self.now)
            #expect(store.manager.denied == nil)
        }
    }

    @Test("An app's own list can deny certificates") func builtIn() throws {
        try withFolder { folder in
            let document = try SignedPinList(list(7, denied: [oneCRL(root.certificate)]))
            let store = try PinStore(
                file: folder.appendingPathComponent("pins.json").path, builtIn: BuiltInPinList(document))
            #expect(store.manager.evaluate(try trust()).failures.map(\.code) == [.certificateDenied])
        }
    }

    @Test("A list with unreadable denied certificates is refused as a whole") func unreadable() throws {
        #expect(refusal { _ = try list(2, denied: [Array("{}".utf8)]) } == .pinListDeniedInvalid)
        #expect(refusal { _ = try list(2, denied: [[]]) } == .pinListDeniedInvalid)
        #expect(refusal { _ = try list(2, denied: [[UInt8](repeating: 0x20, count: 5 << 20)]) } == .pinListTooLarge)
        try withFolder { folder in
            let store = try PinStore(
                file: folder.appendingPathComponent("pins.json").path, builtIn: fixture.builtIn())
            for (member, code) in [
                (#""denied":[],"#, ErrorCode.pinListDeniedInvalid), (#""denied":["?"],"#, .pinListInvalid),
                (#""denied":["e30"],"#, .pinListDeniedInvalid), (#""denied":"e30","#, .pinListInvalid),
            ] {
                let payload = try fixture.altered(2, #""deniedKeys":"#, member + #""deniedKeys":"#)
                let document = try SignedPinList.signed(payload, by: [fixture.office]).bytes
                #expect(refusal { try store.accept(document, at: Self.now) } == code)
                #expect(store.list == nil)
            }
        }
    }
}
