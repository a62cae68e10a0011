// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust

@testable import ServerTrustPins

/// An app that always pins `api.example.com` and has root keys separate from its signers. Two of the three root keys
/// must sign.
struct RootFixture {
    let lists: ListFixture
    let root: [PinSigningPrivateKey]
    /// A key that the app doesn't know.
    let thief: PinSigningPrivateKey

    var office: PinSigningPrivateKey { lists.office }
    /// Just enough root keys.
    var enough: [PinSigningPrivateKey] { Array(root.prefix(2)) }

    init() throws {
        lists = try ListFixture()
        root = try [.ed25519, .es256, .ed25519].map { try PinSigningPrivateKey($0) }
        thief = try PinSigningPrivateKey(.ed25519)
    }

    func rootKeys(threshold: Int = 2) throws -> PinSigners {
        try PinSigners(root.map(\.publicKey), threshold: threshold)
    }

    func builtIn(sequence: Int = 1, hasRoot: Bool = true, alwaysPinned: [String] = ["api.example.com"]) throws
        -> BuiltInPinList
    {
        BuiltInPinList(
            audience: ListFixture.audience, configuration: try ListFixture.configuration(1),
            signers: try lists.signers(), root: hasRoot ? try rootKeys() : nil, sequence: sequence,
            issued: ListFixture.now.advanced(by: -ListFixture.day),
            alwaysPinned: try alwaysPinned.map { try HostPattern($0) })
    }

    /// Returns a list's payload with the app's root keys.
    func payload(
        _ sequence: Int, issued: Time = ListFixture.now, signers: PinSigners? = nil, pins: [UInt8]? = nil
    ) throws -> [UInt8] { try payload(sequence, issued: issued, signers: signers, root: try rootKeys(), pins: pins) }

    /// Returns a list's payload with other root keys, or none.
    func payload(
        _ sequence: Int, issued: Time = ListFixture.now, signers: PinSigners? = nil, root: PinSigners?,
        pins: [UInt8]? = nil
    ) throws -> [UInt8] {
        var payload = PinListPayload(
            audience: ListFixture.audience, sequence: sequence, issued: issued,
            expires: ListFixture.now.advanced(by: 30 * ListFixture.day), pins: pins ?? ListFixture.pins(sequence),
            signers: try signers ?? lists.signers())
        payload.root = root
        return try payload.bytes()
    }

    /// Returns the payload of list 6 with a string replaced, in its pins or elsewhere.
    func altered(_ text: String, _ replacement: String) throws -> [UInt8] {
        let payload = String(decoding: try payload(6), as: UTF8.self)
        guard payload.contains(text) else { throw CocoaError(.formatting) }
        return Array(payload.replacingOccurrences(of: text, with: replacement).utf8)
    }

    /// Returns a valid list, signed only by `office`.
    func list(_ sequence: Int) throws -> SignedPinList { try .signed(try payload(sequence), by: [office]) }

    /// Returns a client whose current list is number 5.
    func listState() throws -> PinListState {
        var listState = PinListState(try builtIn())
        _ = try listState.accept(try list(5), at: ListFixture.now)
        return listState
    }
}

extension [PinSigningPrivateKey] {
    /// Returns a set of signers with these keys.
    func signers(threshold: Int = 1) throws -> PinSigners { try PinSigners(map(\.publicKey), threshold: threshold) }
}
