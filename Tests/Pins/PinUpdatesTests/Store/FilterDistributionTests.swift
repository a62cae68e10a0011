// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import Testing

@testable import ServerTrust
@testable import ServerTrustPins
@testable import ServerTrustTesting

/// Filter manifests inside signed pin lists.
@Suite struct FilterDistributionTests {
    private static let now = ListFixture.now

    private let fixture: ListFixture
    private let root: TestAuthority
    private let leaf: Certificate
    private let log: TestLog

    init() throws {
        fixture = try ListFixture()
        root = try TestAuthority.root()
        log = try TestLog("Log", operatedBy: "Operator")
        let timestamps = [log.timestamp(at: Self.now.advanced(by: -86_400))]
        leaf = try root.issue(
            .leaf("www.example.com").with {
                $0.timestamps = timestamps
                $0.notBefore = Self.now.advanced(by: -86_400)
                $0.notAfter = Self.now.advanced(by: 86_400 * 30)
            }
        ).certificate
    }

    private func filter(isRevoked: Bool) -> [UInt8] {
        TestRevocationFilter(
            logs: [(log.logID, 0, UInt64(Self.now.secondsSinceEpoch) * 1_000)],
            issuers: [(root.certificate.subjectPublicKeyInfoSHA256, isRevoked)]
        ).bytes
    }

    private func manifest(_ date: Int64 = now.secondsSinceEpoch, isRevoked: Bool = false) -> TestFilterManifest {
        TestFilterManifest(date: date, files: [("\(date).filter", filter(isRevoked: isRevoked))])
    }

    private func list(_ sequence: Int, filters: [UInt8]?) throws -> [UInt8] {
        var payload = PinListPayload(
            audience: ListFixture.audience, sequence: sequence, issued: Self.now,
            expires: Self.now.advanced(by: 30 * ListFixture.day), pins: ListFixture.pins(sequence),
            signers: try fixture.signers())
        payload.filters = filters
        return try SignedPinList.signed(try payload.bytes(), by: [fixture.office]).bytes
    }

    private func list(_ sequence: Int, _ manifest: TestFilterManifest?) throws -> [UInt8] {
        try list(sequence, filters: manifest.map { Array($0.json.utf8) })
    }

    private func write(_ manifest: TestFilterManifest, to folder: URL) throws {
        for file in manifest.files { try Data(file.bytes).write(to: folder.appendingPathComponent(file.name)) }
    }

    /// Returns the status and source of the leaf's finding.
    private func status(_ store: PinStore) throws -> String {
        var trust = Trust(presentedChain: [leaf], host: try Hostname("www.example.com"))
        trust.anchors = .only([root.certificate])
        trust.verifyDate = .at(Self.now)
        trust.revocation = .bestEffort
        let finding = try #require(store.manager.evaluate(trust).revocation.first)
        switch finding.status {
        case .good: return "good \(finding.source.map(\.rawValue) ?? "")"
        case .revoked: return "revoked \(finding.source.map(\.rawValue) ?? "")"
        default: return "unknown"
        }
    }

    private func store(_ folder: URL) throws -> PinStore {
        try PinStore(
            file: folder.appendingPathComponent("pins.json").path, builtIn: fixture.builtIn(),
            filterFolder: folder.path)
    }

    @Test("A store's clients use the current list's filters, even after a restart")
    func use() throws {
        try withFolder { folder in
            let store = try store(folder)
            #expect(try status(store) == "unknown")
            let (good, revoking) = (manifest(), manifest(Self.now.secondsSinceEpoch + 1, isRevoked: true))
            try write(good, to: folder)
            let older = try list(2, revoking)
            try store.accept(list(3, good), at: Self.now)
            #expect(store.filterProblem == nil)
            for store in [store, try self.store(folder)] {
                #expect(try status(store) == "good filter")
                #expect(refusal { try store.accept(older, at: Self.now) } == .pinListRollback)
            }
            try write(revoking, to: folder)
            try store.accept(list(4, revoking), at: Self.now)
            #expect(try status(store) == "revoked filter")
            #expect(refusal { try store.accept(list(5, good), at: Self.now) } == .pinListRollback)
            try store.accept(list(5, filters: nil), at: Self.now)
            #expect(try status(store) == "unknown")
        }
    }

    @Test("An older manifest is refused even after lists without filters and after a restart")
    func dropped() throws {
        try withFolder { folder in
            let (older, newer) = (manifest(), manifest(Self.now.secondsSinceEpoch + 1))
            try write(older, to: folder)
            try write(newer, to: folder)
            let store = try store(folder)
            try store.accept(list(2, newer), at: Self.now)
            for sequence in 3...5 { try store.accept(list(sequence, filters: nil), at: Self.now) }
            for store in [store, try self.store(folder)] {
                #expect(store.sequence == 5)
                #expect(refusal { try store.accept(list(6, older), at: Self.now) } == .pinListRollback)
                #expect(try status(store) == "unknown")
            }
            let restarted = try self.store(folder)
            try restarted.accept(list(6, newer), at: Self.now)
            #expect(try status(restarted) == "good filter")
            #expect(refusal { try restarted.accept(list(7, older), at: Self.now) } == .pinListRollback)
        }
    }

    @Test("Files that differ from the list don't count, and current files stay in use until the new ones match")
    func otherFiles() throws {
        try withFolder { folder in
            let store = try store(folder)
            let (revoking, good) = (manifest(isRevoked: true), manifest(Self.now.secondsSinceEpoch + 1))
            try write(revoking, to: folder)
            try store.accept(list(2, revoking), at: Self.now)
            try Data(filter(isRevoked: true)).write(to: folder.appendingPathComponent(good.files[0].name))
            try store.accept(list(3, good), at: Self.now)
            #expect(store.sequence == 3)
            #expect(store.filterProblem?.description.contains("SHA-256") == true)
            #expect(try status(store) == "revoked filter")
            // A new process has no filters instead of wrong ones.
            let restarted = try self.store(folder)
            #expect(restarted.filterProblem != nil)
            #expect(try status(restarted) == "unknown")
            try write(good, to: folder)
            for store in [store, restarted] {
                store.reloadFilters()
                #expect(store.filterProblem == nil)
                #expect(try status(store) == "good filter")
            }
        }
    }

    @Test("An app's own list can contain filters, which have no effect without a folder") func builtIn() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("pins.json").path
            let builtIn = try BuiltInPinList(SignedPinList(list(7, manifest(isRevoked: true))))
            try write(manifest(isRevoked: true), to: folder)
            #expect(try status(PinStore(file: file, builtIn: builtIn, filterFolder: folder.path)) == "revoked filter")
            #expect(try status(PinStore(file: file, builtIn: builtIn)) == "unknown")
        }
    }

    @Test("A list with unreadable filters is refused as a whole") func unreadable() throws {
        #expect(refusal { _ = try list(2, filters: Array("{}".utf8)) } == .pinListFiltersInvalid)
        #expect(refusal { _ = try list(2, filters: []) } == .pinListFiltersInvalid)
        #expect(refusal { _ = try list(2, filters: [UInt8](repeating: 0x20, count: 2 << 20)) } != nil)
        try withFolder { folder in
            let store = try store(folder)
            for (member, code) in [
                (#""filters":"e30","#, ErrorCode.pinListFiltersInvalid), (#""filters":"?","#, .pinListInvalid),
                (#""filters":[],"#, .pinListInvalid), (#""filters":"","#, .pinListFiltersInvalid),
            ] {
                let payload = try fixture.altered(2, #""deniedKeys":"#, member + #""deniedKeys":"#)
                let document = try SignedPinList.signed(payload, by: [fixture.office]).bytes
                #expect(refusal { try store.accept(document, at: Self.now) } == code)
                #expect(store.list == nil)
            }
        }
    }
}
