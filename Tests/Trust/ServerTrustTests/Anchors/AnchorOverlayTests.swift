// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrustTesting
import Testing
import TrustScenes

@testable import ServerTrust

@Suite("Root program lists over anchors")
struct AnchorOverlayTests {
    let folder: StoreFolder
    let first, second, own: TestAuthority

    init() throws {
        folder = try StoreFolder()
        first = try TestAuthority.root(.authority("First Root"))
        second = try TestAuthority.root(.authority("Second Root"))
        own = try TestAuthority.root(.authority("Own Root"))
        try folder.write(pem(first, second, own), "store.pem")
        try folder.folder("administrators")
        try folder.folder("administrators/corporation")
        try folder.write(pem(own), "administrators/corporation/root.crt")
    }

    func pem(_ authorities: TestAuthority...) -> String {
        authorities.map { PEM.encode($0.certificate.der, label: "CERTIFICATE") }.joined()
    }

    func system(
        _ overlay: RootList? = nil, unlisted: TrustAnchors.Unlisted = .refuse, _ environment: [String: String] = [:]
    ) throws -> SystemAnchors {
        try SystemAnchors(
            overlay: overlay, unlisted: unlisted,
            environment: environment.merging(["SSL_CERT_FILE": folder.path + "/store.pem"]) { $1 },
            administratorsFolders: [folder.path + "/administrators"])
    }

    /// Returns a list that trusts some roots without conditions, and some with one constraint set.
    func list(
        _ trusted: [TestAuthority], isComplete: Bool = true, distrusted: [TestAuthority] = [],
        conditional: [(TestAuthority, String)] = []
    ) throws -> RootList {
        func name(_ root: TestAuthority) -> String { "\"" + Hex.encode(root.certificate.sha256) + "\"" }
        let roots = trusted.map { name($0) + ": []" } + conditional.map { name($0) + ": [\($1)]" }
        return try RootList(
            Array(
                """
                { "schemaVersion": 1, "program": "Test", "date": "2026-11-01", "complete": \(isComplete),
                  "roots": { \(roots.joined(separator: ",")) },
                  "distrusted": [\(distrusted.map(name).joined(separator: ","))] }
                """.utf8))
    }

    /// Returns the codes of the refusal of a chain below this root.
    func codes(_ root: TestAuthority, _ anchors: TrustAnchors) throws -> Set<TrustFailure.Code> {
        let leaf = try root.issue(.leaf("www.example.com"))
        var trust = Trust(presentedChain: root.chain(leaf), host: try Hostname("www.example.com"))
        trust.verifyDate = .at(TestAuthority.now)
        trust.anchors = anchors
        return Set(trust.evaluate().failures.map(\.code))
    }

    func anchor(_ root: TestAuthority, in store: AnchorStore) -> TrustAnchor? {
        store.anchors.first { $0.certificate == root.certificate }
    }

    // MARK: - The system's anchors

    @Test("A root missing from a complete list is refused, but the administrator's own root is kept")
    func absence() throws {
        let system = try system(list([first]))
        let anchors = TrustAnchors(system)
        #expect(try codes(first, anchors).isEmpty)
        #expect(try codes(second, anchors) == [.anchorNotInProgram])
        #expect(try codes(own, anchors).isEmpty)
        #expect(system.overlays == ["Test, 2026-11-01"])
    }

    @Test("The caller can read which certificates, files, warnings and lists the anchors contain")
    func readable() throws {
        let store = folder.path + "/store.pem"
        try folder.write(pem(first, second, own) + PEM.encode([0x30, 0x00], label: "CERTIFICATE"), "store.pem")
        let certificates = [first, second, own].map(\.certificate)
        let anchors = TrustAnchors(try system(list([first])))
        for anchors in [anchors, try .readSystem(environment: ["SSL_CERT_FILE": store])] {
            #expect(try anchors.certificates == certificates && anchors.count == 3)
            #expect(anchors.files == [store] && anchors.warnings.count == 1)
        }
        #expect(anchors.lists == ["Test, 2026-11-01"])
        #expect(anchors.applying(try list([], isComplete: false, distrusted: [second])).lists.count == 2)
        let given = TrustAnchors.only(certificates)
        #expect(try given.certificates == certificates)
        #expect(given.files.isEmpty && given.warnings.isEmpty && given.lists.isEmpty)
    }

    @Test("An unreadable store from the environment causes an error with its path")
    func missingStore() throws {
        let error = #expect(throws: SystemAnchorsError.self) {
            try TrustAnchors.readSystem(environment: ["SSL_CERT_FILE": folder.path + "/none"])
        }
        #expect(error?.code == .systemAnchorsUnreadable && error?.paths == [folder.path + "/none"])
        #expect(error?.listError == nil)
    }

    @Test("A missing folder beside a good file is skipped, and the caller can read the warning")
    func missingFolder() throws {
        let anchors = try TrustAnchors.readSystem(environment: [
            "SSL_CERT_FILE": folder.path + "/store.pem", "SSL_CERT_DIR": folder.path + "/none",
        ])
        #expect(try anchors.count == 3)
        #expect(anchors.warnings.map(\.code) == [.certificateFileMissing])
        #expect(anchors.warnings.first?.file == folder.path + "/none")
    }

    @Test("A root missing from a complete list is kept if the caller requests that")
    func kept() throws {
        let anchors = TrustAnchors(try system(list([first]), unlisted: .keep))
        #expect(try codes(second, anchors).isEmpty)
    }

    @Test("An incomplete list changes only the roots that it names")
    func incomplete() throws {
        let anchors = TrustAnchors(
            try system(list([], isComplete: false, conditional: [(first, #"{ "permittedDomains": ["example.org"] }"#)]))
        )
        #expect(try codes(first, anchors) == [.anchorNameNotPermitted])
        #expect(try codes(second, anchors).isEmpty)
    }

    @Test("A list can distrust the administrator's own root")
    func ownDistrusted() throws {
        let anchors = TrustAnchors(try system(list([first], distrusted: [own])))
        #expect(try codes(own, anchors) == [.certificateDenied])
    }

    @Test("Roots in the store are public, and the administrator's own root is public if a complete list names it")
    func publicRoots() throws {
        let bare = try system()
        #expect(anchor(first, in: bare.store)?.isPublic == true)
        #expect(anchor(own, in: bare.store)?.isPublic == false)
        #expect(anchor(own, in: try system(list([first])).store)?.isPublic == false)
        #expect(anchor(own, in: try system(list([own])).store)?.isPublic == true)
        #expect(anchor(own, in: try system(list([own], isComplete: false)).store)?.isPublic == false)
    }

    @Test("A complete list makes a root public that already has the list's conditions")
    func sameConditions() throws {
        let overlay = AnchorOverlay([try list([own])])
        let listed = overlay.anchor(TrustAnchor(own.certificate), isGiven: true)
        #expect(listed.isPublic && listed.conditions.count == 1)
        let unlisted = TrustAnchor(listed, conditions: listed.conditions, isPublic: false)
        for anchor in [listed, unlisted] { #expect(overlay.anchor(anchor, isGiven: true) == listed) }
    }

    @Test("Adding no certificate changes no anchors, but reads the system's if the caller names them")
    func addingNone() throws {
        let given = TrustAnchors.only([own.certificate])
        #expect(given.adding([]).isSame(as: given) && !given.adding([first.certificate]).isSame(as: given))
        #expect(TrustAnchors.system.adding([]).isSystem && !TrustAnchors.system(adding: []).isSystem)
    }

    @Test("A certificate that a list distrusts stays distrusted if the system's anchors replace the list's")
    func replacedBySystem() throws {
        let distrusting = TrustAnchors.only([own.certificate])
            .applying(try list([], isComplete: false, distrusted: [second]))
        let distrusted = try #require(try distrusting.distrusted().first)
        let replaced = distrusting.replaced(by: .system)
        #expect(try replaced.distrusted().contains { $0 === distrusted })
        #expect(!replaced.isSystem && !replaced.isSame(as: .system))
    }

    @Test("A list adds no anchor")
    func addsNone() throws {
        let other = try TestAuthority.root(.authority("Other Root"))
        let system = try system(list([first, other]))
        #expect(system.store.count == 3)
        #expect(!system.store.contains(other.certificate))
        #expect(TrustAnchors.only([]).applying(try list([other])).isEmptyStore)
    }

    @Test("Two lists both apply")
    func twoLists() throws {
        let date = #"{ "issuedNotAfter": "2020-01-01" }"#
        try folder.write(
            #"{ "schemaVersion": 1, "program": "Environment", "roots": { "\#(Hex.encode(first.certificate.sha256))": [\#(date)] } }"#,
            "list.json")
        let system = try system(list([first, own]), ["SERVERTRUST_ROOTS_OVERLAY": folder.path + "/list.json"])
        #expect(try codes(first, TrustAnchors(system)) == [.anchorDistrustedAfter])
        #expect(try codes(second, TrustAnchors(system)) == [.anchorNotInProgram])
        #expect(system.overlays == ["Test, 2026-11-01", "Environment"])
    }

    @Test(
        "An unreadable list from the environment causes an error and is never treated as missing",
        arguments: [
            nil, "", "{", "no list", #"{ "schemaVersion": 1, "program": "Empty" }"#, "CKA_CLASS CK_OBJECT_CLASS\nX",
        ])
    func unreadable(_ text: String?) throws {
        if let text { try folder.write(text, "list") }
        let error = #expect(throws: SystemAnchorsError.self) {
            _ = try system(nil, ["SERVERTRUST_ROOTS_OVERLAY": folder.path + "/list"])
        }
        #expect(error?.code == .systemAnchorsListInvalid)
        #expect(error?.listError?.file == folder.path + "/list")
    }

    @Test("An empty variable names no list")
    func emptyVariable() throws {
        #expect(try system(nil, ["SERVERTRUST_ROOTS_OVERLAY": ""]).overlays.isEmpty)
    }

    // MARK: - The administrator's own

    @Test("The overlay finds the administrator's own certificates in every form and depth, without distrusted ones")
    func administratorsForms() throws {
        let roots = try (0..<6).map { try TestAuthority.root(.authority("Form \($0)")) }
        let path = folder.path + "/administrators"
        try folder.folder("administrators/anchors")
        try folder.folder("administrators/blocklist")
        try Data(roots[0].certificate.der).write(to: URL(fileURLWithPath: path + "/anchors/der.bin"))
        try folder.write("[p11-kit-object-v1]\ntrusted: true\n" + pem(roots[1]), "administrators/own.p11-kit")
        let aux: [UInt8] = [0x30, 0x0c, 0x30, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1]
        try folder.write(
            PEM.encode(roots[2].certificate.der + aux, label: "TRUSTED CERTIFICATE"), "administrators/trusted.pem")
        try folder.write(pem(roots[3]), "administrators/blocklist/bad.pem")
        try folder.write("[p11-kit-object-v1]\nx-distrusted: true\n" + pem(roots[4]), "administrators/old.p11-kit")
        let forClients: [UInt8] = [0x30, 0x0c, 0x30, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 2]
        try folder.write(
            PEM.encode(roots[5].certificate.der + forClients, label: "TRUSTED CERTIFICATE"),
            "administrators/clients.pem")
        try FileManager.default.createSymbolicLink(atPath: path + "/loop", withDestinationPath: path)
        try FileManager.default.createSymbolicLink(atPath: path + "/broken", withDestinationPath: "nowhere")
        try #require(mkfifo(path + "/pipe", 0o600) == 0)
        try folder.write("nothing", "administrators/readme.txt")
        let found = try system().administratorsOwn
        #expect(found == Set([own, roots[0], roots[1], roots[2]].map(\.certificate)))
    }

    @Test("Folders are read up to a maximum depth")
    func depth() throws {
        let root = try TestAuthority.root(.authority("Deep Root"))
        let nested = (0..<7).map { "\($0)" }.joined(separator: "/")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/administrators/" + nested + "/7", withIntermediateDirectories: true)
        try folder.write(pem(root), "administrators/" + nested + "/7/root.pem")
        #expect(try !system().administratorsOwn.contains(root.certificate))
        try folder.write(pem(root), "administrators/" + nested + "/root.pem")
        #expect(try system().administratorsOwn.contains(root.certificate))
    }

    // MARK: - The caller's anchors

    @Test("A list changes only those of the caller's anchors that it names")
    func given() throws {
        let given = TrustAnchors.only([first.certificate, second.certificate])
        let anchors = given.applying(try list([first]))
        #expect(try codes(first, anchors).isEmpty)
        #expect(try codes(second, anchors).isEmpty)
        #expect(anchor(first, in: try anchors.store())?.isPublic == true)
        #expect(anchor(second, in: try anchors.store())?.isPublic == false)
        let distrusting = given.applying(try list([first], distrusted: [second]))
        #expect(try codes(second, distrusting) == [.certificateDenied])
    }

    @Test("A certificate that the caller adds to the system's anchors is trusted even if the list lacks it")
    func added() throws {
        let anchors = TrustAnchors(try system(list([first])))
        #expect(try codes(second, anchors) == [.anchorNotInProgram])
        #expect(try codes(second, anchors.adding([second.certificate])).isEmpty)
        #expect(
            try codes(second, TrustAnchors(try system()).adding([second.certificate]).applying(list([first])))
                .isEmpty)
        // The list doesn't mention a certificate that is in neither set.
        let other = try TestAuthority.root(.authority("Other Root"))
        #expect(try codes(other, anchors.adding([other.certificate])).isEmpty)
    }

    @Test("A certificate that the caller adds is distrusted if the list distrusts it")
    func addedDistrusted() throws {
        let other = try TestAuthority.root(.authority("Other Root"))
        let anchors = TrustAnchors(try system(list([first], distrusted: [second, other])))
        #expect(try codes(second, anchors.adding([second.certificate])) == [.certificateDenied])
        #expect(try codes(other, anchors.adding([other.certificate])) == [.certificateDenied])
    }

    @Test("A list over the system's anchors doesn't affect the administrator's own")
    func overlaidSystem() throws {
        let anchors = TrustAnchors(try system()).applying(try list([first]))
        #expect(try codes(second, anchors) == [.anchorNotInProgram])
        #expect(try codes(own, anchors).isEmpty)
        #expect(try codes(second, TrustAnchors(try system()).applying(list([first]), unlisted: .keep)).isEmpty)
    }

    @Test("A path to another certificate with the same name and key avoids the untrusted anchor")
    func crossSigned() throws {
        let cross = try second.crossSigned(by: first)
        let leaf = try second.issue(.leaf("www.example.com"))
        var trust = Trust(
            presentedChain: [leaf.certificate, cross.certificate], host: try Hostname("www.example.com"))
        trust.verifyDate = .at(TestAuthority.now)
        trust.anchors = TrustAnchors(try system(list([first])))
        let verdict = trust.evaluate()
        #expect(verdict.path.last == first.certificate)
        #expect(verdict.failures.isEmpty)
    }
}

extension TrustAnchors {
    fileprivate var isEmptyStore: Bool { (try? store().isEmpty) ?? false }
}
