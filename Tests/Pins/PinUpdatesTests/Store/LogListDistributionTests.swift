// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import Testing

@testable import ServerTrust
@testable import ServerTrustPins
@testable import ServerTrustTesting

/// Lists of Certificate Transparency logs inside signed pin lists.
@Suite struct LogListDistributionTests {
    private static let now = ListFixture.now
    private static let day = ListFixture.day

    private let fixture: ListFixture
    private let logs: [TestLog]

    init() throws {
        fixture = try ListFixture()
        logs = try [TestLog("One", operatedBy: "A"), TestLog("Two", operatedBy: "B")]
    }

    /// Returns a list of logs that is `age` days old.
    private func json(age: Int64 = 1, _ logs: [TestLog]? = nil) throws -> [UInt8] {
        try TestLog.list(logs ?? self.logs, at: Self.now.advanced(by: -age * Self.day))
    }

    private func list(_ sequence: Int, logs: [UInt8]?, reportOnly: Bool = false) throws -> [UInt8] {
        try SignedPinList.signed(
            fixture.payload(sequence, logs: logs, reportsTransparencyOnly: reportOnly), by: [fixture.office]
        ).bytes
    }

    private func settings(_ mode: TransparencySettings.Mode = .require) -> TransparencySettings {
        var settings = TransparencySettings(logs: nil, policy: .mozilla, mode: mode)
        settings.includesPrivateAnchors = true
        return settings
    }

    private func withStore(
        _ settings: TransparencySettings?, _ body: (PinStore, _ reopen: () throws -> PinStore) throws -> Void
    ) throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("pins.json").path
            let builtIn = try fixture.builtIn()
            let open = { try PinStore(file: file, builtIn: builtIn, transparency: settings) }
            try body(try open(), open)
        }
    }

    /// Returns a chain with timestamps from both logs or from none, for a host without pins.
    private func trust(published: Bool) throws -> Trust {
        let root = try TestAuthority.root()
        let leaf = try root.issue(
            .leaf("www.example.com").with { if published { $0.timestamps = logs.map { $0.timestamp() } } })
        var trust = Trust(presentedChain: [leaf.certificate], host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(Self.now)
        return trust
    }

    // MARK: - Use

    @Test("A store's clients check timestamps with the current list's logs, even after a restart") func use() throws {
        try withStore(settings()) { store, reopen in
            let published = try trust(published: true)
            let unpublished = try trust(published: false)
            // Without a list, a required check refuses the server.
            #expect(store.manager.evaluate(published).codes == [.transparencyLogListMissing])
            try store.accept(list(2, logs: json()), at: Self.now)
            for store in [store, try reopen()] {
                let verdict = store.manager.evaluate(published)
                #expect(verdict.isTrusted)
                #expect(verdict.transparency?.status == .complies)
                #expect(verdict.transparency?.listDate == Self.now.advanced(by: -Self.day))
                #expect(store.manager.evaluate(unpublished).codes == [.transparencyNotMet])
            }
        }
    }

    @Test("A list replaces the logs, and a report-only list suspends the check") func replaced() throws {
        try withStore(settings()) { store, _ in
            let unpublished = try trust(published: false)
            try store.accept(list(2, logs: json(age: 5)), at: Self.now)
            #expect(!store.manager.evaluate(unpublished).isTrusted)
            try store.accept(list(3, logs: json(age: 5), reportOnly: true), at: Self.now)
            let verdict = store.manager.evaluate(unpublished)
            #expect(verdict.isTrusted)
            #expect(verdict.reported.map(\.code) == [.transparencyNotMet])
            try store.accept(list(4, logs: json(age: 1)), at: Self.now)
            let last = store.manager.evaluate(unpublished)
            #expect(!last.isTrusted)
            #expect(last.transparency?.listDate == Self.now.advanced(by: -Self.day))
        }
    }

    @Test("A store without settings checks no timestamps and accepts lists with logs") func unused() throws {
        try withStore(nil) { store, _ in
            try store.accept(list(2, logs: json()), at: Self.now)
            let verdict = store.manager.evaluate(try trust(published: false))
            #expect(verdict.isTrusted)
            #expect(verdict.transparency == nil)
        }
    }

    @Test("A trust object with its own check must pass both checks") func both() throws {
        try withStore(settings()) { store, _ in
            var published = try trust(published: true)
            var own = settings()
            own.logs = try CTLogList(
                json: TestLog.list([TestLog("Other", operatedBy: "C")], at: Self.now), now: Self.now)
            published.settings.transparency = own
            try store.accept(list(2, logs: json()), at: Self.now)
            #expect(store.manager.evaluate(published).codes == [.transparencyNotMet])
        }
    }

    @Test("A delegate can't accept a server that a store's required check refuses") func delegates() throws {
        for (mode, isLeft) in [(TransparencySettings.Mode.require, false), (.report, true)] {
            try withStore(settings(mode)) { store, _ in
                try store.accept(list(2, logs: json()), at: Self.now)
                let unpublished = try trust(published: false)
                #expect(store.manager.currentRules.leavesAcceptanceToDelegate(unpublished) == isLeft)
            }
        }
    }

    // MARK: - Attacks

    @Test("A list can't bring back older logs or drop them") func rollback() throws {
        try withStore(settings()) { store, reopen in
            try store.accept(list(2, logs: json(age: 2)), at: Self.now)
            #expect(refusal { try store.accept(list(3, logs: json(age: 3)), at: Self.now) } == .pinListRollback)
            #expect(refusal { try store.accept(list(3, logs: nil), at: Self.now) } == .pinListLogsDropped)
            #expect(refusal { try store.accept(list(1, logs: json(age: 1)), at: Self.now) } == .pinListRollback)
            #expect(refusal { try reopen().accept(list(3, logs: json(age: 3)), at: Self.now) } == .pinListRollback)
            #expect(store.sequence == 2)
            #expect(store.list?.logs?.list.date == Self.now.advanced(by: -2 * Self.day))
            try store.accept(list(3, logs: json(age: 2)), at: Self.now)
            #expect(store.sequence == 3)
        }
    }

    @Test("An expired list provides no logs") func expired() throws {
        try withStore(settings()) { store, _ in
            try store.accept(list(2, logs: json(age: 2)), at: Self.now)
            let later = Self.now.advanced(by: 31 * Self.day)
            #expect(refusal { try store.accept(list(3, logs: json(age: 1)), at: later) } == .pinListExpired)
            #expect(store.list?.logs?.list.date == Self.now.advanced(by: -2 * Self.day))
        }
    }

    @Test("A list with changed logs fails the signature check") func tampered() throws {
        try withStore(settings()) { store, _ in
            let original = try SignedPinList.signed(fixture.payload(2, logs: json()), by: [fixture.office])
            let other = try SignedPinList.signed(
                fixture.payload(2, logs: json(age: 1, [TestLog("Thief", operatedBy: "T")])),
                by: [PinSigningPrivateKey(.ed25519)])
            let payload = try #require(try Self.payload(original.bytes))
            let foreign = try #require(try Self.payload(other.bytes))
            let mixed = String(decoding: original.bytes, as: UTF8.self).replacing(payload, with: foreign)
            #expect(refusal { try store.accept(Array(mixed.utf8), at: Self.now) } == .pinListSignatureInvalid)
            #expect(store.sequence == 1)
        }
    }

    private static func payload(_ document: [UInt8]) throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any]
        return object?["payload"] as? String
    }

    @Test("The package doesn't sign log lists that no client can use") func unusable() throws {
        let pending = try json(age: 1, logs.map { log in log.with { $0.state = .pending } })
        let huge = try json() + [UInt8](repeating: 0x20, count: CTLogList.maximumSize)
        let future = try json(age: -1)
        for bytes in [[], Array("{}".utf8), pending, huge, future] {
            #expect(refusal { _ = try list(2, logs: bytes) } == .pinListLogsInvalid)
        }
    }

    @Test(
        "A logs member with any other contents is refused",
        arguments: [
            (#"{"list":"!","mode":"app"}"#, "pinListInvalid"), (#"{"list":"e30","mode":"app"}"#, "pinListLogsInvalid"),
            (#"{"mode":"app"}"#, "pinListInvalid"), (#"{"list":"e30"}"#, "pinListInvalid"),
            (#"{"list":"e30","mode":"require"}"#, "pinListInvalid"), (#"{"list":7,"mode":"app"}"#, "pinListInvalid"),
            ("[]", "pinListInvalid"), ("null", "pinListInvalid"), (#""e30""#, "pinListInvalid"),
        ]) func members(_ member: String, _ code: String) throws
    {
        let text = String(decoding: try fixture.payload(2), as: UTF8.self)
        let changed = #"{"logs":"# + member + "," + text.dropFirst()
        let signed = try SignedPinList.signed(Array(changed.utf8), by: [fixture.office])
        try withStore(settings()) { store, _ in
            #expect(refusal { try store.accept(signed.bytes, at: Self.now) }?.name == code)
            #expect(store.sequence == 1)
        }
    }

    @Test("A member that is one character over the size limit is refused before it is decoded") func oversize() throws {
        let text = String(decoding: try fixture.payload(2), as: UTF8.self)
        let long = String(repeating: "A", count: CTLogList.maximumSize / 3 * 4 + 5)
        let changed = #"{"logs":{"list":""# + long + #"","mode":"app"},"# + text.dropFirst()
        let signed = try SignedPinList.signed(Array(changed.utf8), by: [fixture.office])
        try withStore(nil) { store, _ in
            #expect(refusal { try store.accept(signed.bytes, at: Self.now) } == .pinListTooLarge)
        }
    }

    @Test("A client accepts a list with logs that it doesn't support, unless they are critical") func unknown()
        throws
    {
        // This is how a client of an earlier version reads `logs`.
        let text = String(decoding: try fixture.payload(2), as: UTF8.self)
        let rows: [(String, ErrorCode?)] = [
            ("", nil), (#""critical":["archives"],"#, .pinListUnknownCriticalField),
        ]
        for (critical, code) in rows {
            let changed = #"{"archives":{"list":"e30"},"# + critical + text.dropFirst()
            let signed = try SignedPinList.signed(Array(changed.utf8), by: [fixture.office])
            try withStore(nil) { store, _ in
                #expect(refusal { try store.accept(signed.bytes, at: Self.now) } == code)
            }
        }
    }
}

extension TrustVerdict {
    fileprivate var codes: [TrustFailure.Code] { failures.map(\.code) }
}
