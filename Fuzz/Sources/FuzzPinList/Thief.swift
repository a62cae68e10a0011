// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustPins

/// A thief who has stolen a list key, which can only sign lists. The root keys are safe, and the app always pins two
/// sets of hosts.
struct Thief: Sendable {
    /// The built-in list of an app, and the keys that are valid with it.
    struct App: Sendable {
        let list: BuiltInPinList
        let signers: PinSigners
        let root: PinSigners
        var keys: [PinSigningKey] { signers.keys + root.keys }
    }

    let builtIn: App
    private let stolen: PinSigningPrivateKey
    private let own: PinSigningPrivateKey
    /// A valid list that may follow any other list.
    private let last: SignedPinList
    private let lastPayload: [UInt8]
    private let now = Time(secondsSinceEpoch: 1_795_000_000)
    /// A host of each set that is always pinned, and one several levels below the second.
    private let hosts: [Hostname]

    init() throws {
        stolen = try Self.key(1)
        own = try Self.key(5)
        let signers = try PinSigners([stolen.publicKey, Self.key(2).publicKey])
        let root = try PinSigners([Self.key(3).publicKey, Self.key(4).publicKey], threshold: 2)
        hosts = try ["example.com", "pay.example.com", "a.b.pay.example.com"].map { try Hostname($0) }
        let pins = Array(Self.pins.utf8)
        builtIn = App(
            list: BuiltInPinList(
                audience: "com.example.app", configuration: try PinConfiguration(json: pins, file: "pins"),
                signers: signers, root: root, sequence: 1, issued: Time(secondsSinceEpoch: 1_790_000_000),
                alwaysPinned: [try HostPattern("example.com"), try HostPattern("**.pay.example.com")]),
            signers: signers, root: root)
        var payload = PinListPayload(
            audience: "com.example.app", sequence: 9_000_000_000_000_000, issued: now,
            expires: now.advanced(by: .seconds(60)),
            pins: pins, signers: signers)
        payload.root = root
        lastPayload = try payload.bytes()
        last = try SignedPinList.signed(lastPayload, by: [stolen])
    }

    /// Signs any payload with the stolen key and the thief's own key, as a list and as a rotation before a list.
    func sign(_ payload: [UInt8]) {
        // Signatures take most of the time, and a list without readable contents is rejected before they are checked.
        guard (try? SignedPinList.signed(payload, by: []).unverifiedList()) != nil else { return }
        guard let document = try? SignedPinList.signed(payload, by: [stolen, own]) else { return }
        expectHarmless(document)
        guard let led = try? SignedPinList.signed(lastPayload, by: [stolen], rotations: [document]) else { return }
        expectHarmless(led)
    }

    /// Adds any bytes as a signature of each key.
    func attach(_ bytes: [UInt8]) {
        guard bytes.count < 100 else { return }
        for key in builtIn.keys { precondition((try? last.adding(bytes, by: key)) == nil) }
    }

    /// Fails if an accepted document lets the thief change more than pins.
    private func expectHarmless(_ document: SignedPinList) {
        guard let list = try? builtIn.list.verify(document, at: now), list.sequence > 1 else { return }
        precondition(Set(list.signers.keys) == Set(builtIn.signers.keys))
        precondition(list.signers.threshold == builtIn.signers.threshold)
        precondition(list.root.map { Set($0.keys) } == Set(builtIn.root.keys))
        precondition(list.root?.threshold == builtIn.root.threshold)
        guard let manager = try? list.manager() else { preconditionFailure("an accepted list makes no rules") }
        for host in hosts { precondition(manager.rule(for: host) != nil) }
    }

    /// A key whose 32 bytes all have the same value. It is public, so don't use it elsewhere.
    private static func key(_ number: UInt8) throws -> PinSigningPrivateKey {
        let der: [UInt8] =
            [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
            + [UInt8](repeating: number, count: 32)
        let label = ["PRIVATE", "KEY"].joined(separator: " ")
        return try PinSigningPrivateKey(
            pem: "-----BEGIN \(label)-----\n\(Data(der).base64EncodedString())\n-----END \(label)-----\n")
    }

    private static let pins = """
        {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
        "hosts":["example.com","**.pay.example.com"],\
        "pins":[{"key":"sha256/qSxxQj6iwxU0NfH7PTRqdilz9kmorIme2QB4t+SSj3Q=","scope":"anywhere","role":"inUse"},\
        {"key":"sha256/dmufTFNcMsgKUGbzyO5v37XeWSyRW4KYzc8xYUvgUv4=","scope":"anywhere","role":"backup"}]}]}
        """
}
