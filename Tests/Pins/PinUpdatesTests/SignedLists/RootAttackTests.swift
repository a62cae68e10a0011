// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Attacks with stolen keys. The thief has its own key and the office's key, which may sign only lists. In rows that
/// say so, it also has root keys.
@Suite("Attacks on root keys and always-pinned hosts") struct RootAttackTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: ErrorCode
        let document: @Sendable (RootFixture) throws -> SignedPinList

        init(
            _ name: String, _ code: ErrorCode,
            _ document: @escaping @Sendable (RootFixture) throws -> SignedPinList
        ) {
            self.testDescription = name
            self.code = code
            self.document = document
        }

        /// Returns an attack with a list that the thief alters, with the office's signature.
        static func altered(
            _ name: String, _ code: ErrorCode, _ text: String, _ replacement: String
        ) -> Attack {
            Attack(name, code) { try .signed(try $0.altered(text, replacement), by: [$0.office]) }
        }
    }

    static let host = #"[{"name":"api.example.com","includesName":true,"below":"nothing"}]"#
    static let mode = #""mode":"enforced""#

    static let attacks: [Attack] = [
        // Naming successors.
        Attack("a stolen list key names the thief's key", .pinListRootRequired) {
            try .signed(try $0.payload(6, signers: [$0.thief].signers()), by: [$0.office, $0.thief])
        },
        Attack("a stolen list key adds the thief's key", .pinListRootRequired) {
            try .signed(
                try $0.payload(6, signers: [$0.office, $0.lists.safe, $0.thief].signers()), by: [$0.office, $0.thief])
        },
        Attack("a stolen list key removes the other list key", .pinListRootRequired) {
            try .signed(try $0.payload(6, signers: [$0.office].signers()), by: [$0.office])
        },
        Attack("both list keys raise their threshold", .pinListRootRequired) {
            try .signed(
                try $0.payload(6, signers: $0.lists.signers(threshold: 2)), by: [$0.office, $0.lists.safe])
        },
        Attack(
            "a stolen list key names the thief's key in a rotation before the thief's list", .pinListRootRequired
        ) {
            let signers = try [$0.thief].signers()
            let rotation = try SignedPinList.signed(
                try $0.payload(6, signers: signers), by: [$0.office, $0.thief])
            return try .signed(try $0.payload(7, signers: signers), by: [$0.thief], rotations: [rotation])
        },
        // Root keys.
        Attack("a stolen list key names the thief's root key", .pinListRootRequired) {
            try .signed(try $0.payload(6, root: [$0.thief].signers()), by: [$0.office, $0.thief])
        },
        Attack("a stolen list key adds a root key", .pinListRootRequired) {
            try .signed(
                try $0.payload(6, root: ($0.root + [$0.thief]).signers(threshold: 2)), by: [$0.office, $0.thief])
        },
        Attack("a stolen list key and one root key of two lower the threshold of the root keys", .pinListRootRequired) {
            try .signed(try $0.payload(6, root: $0.rootKeys(threshold: 1)), by: [$0.office, $0.root[0]])
        },
        Attack("a stolen list key and one root key of two name the thief's key", .pinListRootRequired) {
            try .signed(
                try $0.payload(6, signers: [$0.thief].signers()), by: [$0.office, $0.root[2], $0.thief])
        },
        Attack("a stolen list key drops the root keys", .pinListRootDropped) {
            try .signed(try $0.payload(6, root: nil), by: [$0.office])
        },
        Attack("a stolen list key drops the root keys and names the thief's key", .pinListRootDropped) {
            try .signed(try $0.payload(6, signers: [$0.thief].signers(), root: nil), by: [$0.office, $0.thief])
        },
        Attack("a stolen list key drops the root keys in a rotation", .pinListRootDropped) {
            let rotation = try SignedPinList.signed(try $0.payload(6, root: nil), by: [$0.office])
            return try .signed(try $0.payload(7, root: nil), by: [$0.office], rotations: [rotation])
        },
        Attack("the root keys drop themselves", .pinListRootDropped) {
            try .signed(try $0.payload(6, root: nil), by: [$0.office] + $0.root)
        },
        .altered("the root keys under another name", .pinListRootDropped, #""root":"#, #""Root":"#),
        .altered("root keys that are null", .pinListInvalid, #""root":{"#, #""root":null,"other":{"#),
        .altered("a root threshold of zero", .pinListInvalid, #""root":{"threshold":2"#, #""root":{"threshold":0"#),
        .altered("root keys twice", .pinListMalformed, #""root":{"#, #""root":null,"root":{"#),
        .altered(
            "a critical member next to the root keys", .pinListUnknownCriticalField, #""version":1"#,
            #""version":1,"critical":["root","tunnel"],"tunnel":1"#),
        Attack("a list key as a root key", .pinListInvalid) { fixture in
            // The package doesn't write such a list.
            let payload = String(decoding: try fixture.payload(6), as: UTF8.self)
                .replacing(fixture.root[0].publicKey.jwk, with: fixture.office.publicKey.jwk)
            return try .signed(Array(payload.utf8), by: [fixture.office] + fixture.root)
        },
        Attack("a signature with the name of a root key", .pinListSignatureInvalid) {
            let list = try SignedPinList.signed(
                try $0.payload(6, signers: [$0.thief].signers()), by: [$0.office, $0.root[0], $0.thief])
            let signatures = list.signatures.map { signature in
                SignedPinList.Signature(
                    protected: signature.protected, algorithm: signature.algorithm, keyID: signature.keyID,
                    bytes: list.signatures[0].bytes)
            }
            return SignedPinList(
                payload: list.payload, signatures: [list.signatures[0]] + signatures.dropFirst(), rotations: [])
        },
        // Stolen root keys without a list key.
        Attack("root keys sign pins without a change of keys", .pinListBelowThreshold) {
            try .signed(try $0.payload(6), by: $0.root)
        },
        Attack("only one root key of two", .pinListBelowThreshold) {
            try .signed(try $0.payload(6), by: [$0.root[0]])
        },
        Attack("root keys name signers that haven't signed", .pinListUnprovenSigners) {
            try .signed(try $0.payload(6, signers: [$0.thief].signers()), by: $0.enough + [$0.office])
        },
        Attack("root keys name root keys that haven't signed", .pinListUnprovenSigners) {
            try .signed(try $0.payload(6, root: [$0.thief].signers()), by: $0.enough + [$0.office])
        },
        // Order. Root keys are no exception.
        Attack("a stolen list key lowers the number", .pinListRollback) {
            try .signed(try $0.payload(4), by: [$0.office])
        },
        Attack("an earlier change of keys is replayed", .pinListRollback) {
            try .signed(try $0.payload(4, signers: [$0.thief].signers()), by: $0.enough + [$0.thief])
        },
        Attack("root keys name other keys with the current number", .pinListSequenceReused) {
            try .signed(try $0.payload(5, signers: [$0.thief].signers()), by: $0.enough + [$0.thief])
        },
        Attack("root keys name other keys in a list that was issued earlier", .pinListIssuedEarlier) {
            try .signed(
                try $0.payload(6, issued: ListFixture.now.advanced(by: -1), signers: [$0.thief].signers()),
                by: $0.enough + [$0.thief])
        },
        // Always-pinned hosts.
        .altered(
            "the host has no rule", .pinListHostUnpinned, #""name":"api.example.com""#, #""name":"www.example.com""#),
        .altered("the rule is only for the host's subdomains", .pinListHostUnpinned, host, ##"["*.api.example.com"]"##),
        .altered("the pins are only reported", .pinListHostUnpinned, mode, #""mode":"reportOnly""#),
        .altered(
            "the pins expire in a year and fail open", .pinListHostUnpinned, mode,
            #""expires":{"at":"2127-01-01T00:00:00Z","afterwards":"unpinned"},"mode":"enforced""#),
        .altered(
            "the pins have expired and failed open", .pinListHostUnpinned, mode,
            #""expires":{"at":"2020-01-01T00:00:00Z","afterwards":"unpinned"},"mode":"enforced""#),
        .altered(
            "the system's anchors need no pin", .pinListHostUnpinned, mode,
            #""anchors":[{"source":"system","overridesPins":true}],"mode":"enforced""#),
        Attack("the list names other always-pinned hosts", .pinListHostUnpinned) { fixture in
            let payload = String(
                decoding: try fixture.altered(#""name":"api.example.com""#, #""name":"www.example.com""#), as: UTF8.self
            )
            let named = payload.replacing(#""version":1"#, with: #""version":1,"alwaysPinned":["www.example.com"]"#)
            return try .signed(Array(named.utf8), by: [fixture.office])
        },
        Attack("the host is exempt, and all keys have signed", .pinListHostUnpinned) { fixture in
            let pins =
                #"{"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"unpinned","hosts":["api.example.com"]}]}"#
            return try .signed(
                try fixture.payload(6, pins: Array(pins.utf8)), by: [fixture.office, fixture.lists.safe] + fixture.root)
        },
    ]

    @Test("Each attack with stolen keys is refused with its own code and changes nothing", arguments: attacks)
    func attack(_ attack: Attack) throws {
        let fixture = try RootFixture()
        var listState = try fixture.listState()
        let before = listState.document
        let document = try SignedPinList(try attack.document(fixture).bytes)
        #expect(refusal { _ = try listState.accept(document, at: ListFixture.now) } == attack.code)
        #expect(listState.sequence == 5)
        #expect(listState.document == before)
        #expect(listState.inForce.hasSameKeys(as: try fixture.builtIn().contents))
        // Without the attack, the document is valid.
        #expect(refusal { _ = try listState.accept(try fixture.list(6), at: ListFixture.now) } == nil)
        // The store keeps none of it, in memory or in the file.
        try withFolder { folder in
            let store = try fixture.lists.store(folder, builtIn: try fixture.builtIn())
            try store.accept(try fixture.list(5).bytes, at: ListFixture.now)
            let file = try Data(contentsOf: URL(fileURLWithPath: store.file))
            #expect(refusal { try store.accept(document.bytes, at: ListFixture.now) } == attack.code)
            #expect(store.sequence == 5)
            #expect(try Data(contentsOf: URL(fileURLWithPath: store.file)) == file)
        }
    }
}
