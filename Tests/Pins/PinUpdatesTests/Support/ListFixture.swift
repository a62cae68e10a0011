// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import ServerTrustPins
import Testing

/// An app's publisher with signing keys, and lists to sign. Dates are fixed: everything is issued at ``now``.
struct ListFixture {
    static let audience = "com.example.app"
    static let now = Time(secondsSinceEpoch: 1_795_000_000)
    static let day: Int64 = 86_400

    let office: PinSigningPrivateKey
    let safe: PinSigningPrivateKey

    init(_ algorithm: PinSigningKey.Algorithm = .ed25519) throws {
        office = try PinSigningPrivateKey(algorithm)
        safe = try PinSigningPrivateKey(.es256)
    }

    /// Returns the built-in list. By default, `office` or `safe` must sign.
    func builtIn(sequence: Int = 1, threshold: Int = 1, issued: Time = now) throws -> BuiltInPinList {
        BuiltInPinList(
            audience: Self.audience, configuration: try Self.configuration(1),
            signers: try PinSigners([office.publicKey, safe.publicKey], threshold: threshold), sequence: sequence,
            issued: issued.advanced(by: -Self.day))
    }

    func signers(threshold: Int = 1) throws -> PinSigners {
        try PinSigners([office.publicKey, safe.publicKey], threshold: threshold)
    }

    /// Returns pins in this package's JSON. The number identifies the pin.
    static func pins(_ number: Int) -> [UInt8] {
        Array(
            """
            {"schemaVersion":1,"selection":"mostSpecific","unlistedHosts":"evaluatedByDefault","rules":[{"mode":"enforced",\
            "hosts":[{"name":"api.example.com","includesName":true,"below":"nothing"}],\
            "pins":[{"key":"\(TestPins.pin(number))","scope":"anywhere","role":"inUse"}]}]}
            """.utf8)
    }

    static func configuration(_ number: Int) throws -> PinConfiguration {
        try PinConfiguration(json: pins(number), file: "pins")
    }

    func payload(
        _ sequence: Int, audience: String = audience, issued: Time = now, notBefore: Time? = nil,
        expires: Time = now.advanced(by: 30 * day), signers: PinSigners? = nil, pins: [UInt8]? = nil,
        deniedKeys: Set<SPKIPin> = [], logs: [UInt8]? = nil, reportsTransparencyOnly: Bool = false
    ) throws -> [UInt8] {
        var payload = PinListPayload(
            audience: audience, sequence: sequence, issued: issued, expires: expires,
            pins: pins ?? Self.pins(sequence), signers: try signers ?? self.signers())
        payload.notBefore = notBefore
        payload.deniedKeys = deniedKeys
        payload.logs = logs
        payload.reportsTransparencyOnly = reportsTransparencyOnly
        return try payload.bytes()
    }

    /// Returns a valid list, signed by `office`.
    func list(_ sequence: Int, by keys: [PinSigningPrivateKey]? = nil) throws -> SignedPinList {
        try .signed(try payload(sequence), by: keys ?? [office])
    }

    /// Returns a payload that this package wouldn't write.
    func altered(_ sequence: Int, _ replace: String, _ replacement: String) throws -> [UInt8] {
        let text = String(decoding: try payload(sequence), as: UTF8.self)
        guard text.contains(replace) else { throw CocoaError(.formatting) }
        return Array(text.replacingOccurrences(of: replace, with: replacement).utf8)
    }
}

/// Returns the code with which a list is refused, or nil if it is accepted. Any other error is an issue.
func refusal(_ body: () throws -> Void) -> ErrorCode? {
    do {
        try body()
        return nil
    } catch let error as PinListError {
        return error.code
    } catch {
        Issue.record(error)
        return nil
    }
}
