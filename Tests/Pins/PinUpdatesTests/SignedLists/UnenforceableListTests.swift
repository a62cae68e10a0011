// SPDX-License-Identifier: Apache-2.0

import Foundation
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

/// Lists with valid signatures whose pins can't become rules.
@Suite("Lists that can't be enforced") struct UnenforceableListTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let replacement: String
        /// Whether a store with the default rules accepts the list.
        let isTaken: Bool
    }

    static let rows: [Row] = [
        Row(testDescription: "pins of a host", text: "\"rules\"", replacement: "\"rules\"", isTaken: true),
        Row(
            testDescription: "a rule for any requested host",
            text: "[{\"name\":\"api.example.com\",\"includesName\":true,\"below\":\"nothing\"}]",
            replacement: "\"any\"", isTaken: false),
        Row(
            testDescription: "the system's anchors for a rule", text: "\"mode\"",
            replacement: "\"anchors\":[{\"source\":\"system\"}],\"mode\"", isTaken: true),
        Row(
            testDescription: "anchors of a rule in a resource", text: "\"mode\"",
            replacement: "\"anchors\":[{\"source\":\"resource\",\"name\":\"raw/ca\"}],\"mode\"", isTaken: false),
        Row(
            testDescription: "anchors for all hosts", text: "\"selection\"",
            replacement: "\"anchors\":[{\"source\":\"system\"}],\"selection\"", isTaken: false),
        Row(
            testDescription: "anchors only for debugging", text: "\"selection\"",
            replacement: "\"debugAnchors\":[{\"source\":\"user\"}],\"selection\"", isTaken: true),
    ]

    @Test("Verification accepts exactly the lists that a store accepts", arguments: rows)
    func verified(_ row: Row) throws {
        let fixture = try ListFixture()
        let pins = String(decoding: ListFixture.pins(6), as: UTF8.self)
        #expect(pins.contains(row.text))
        let payload = try fixture.payload(6, pins: Array(pins.replacing(row.text, with: row.replacement).utf8))
        let list = try SignedPinList.signed(payload, by: [fixture.office])
        let builtIn = try fixture.builtIn()
        let expected: ErrorCode? = row.isTaken ? nil : .pinListPinsInvalid
        #expect(refusal { _ = try builtIn.verify(list, at: ListFixture.now) } == expected)
        #expect(refusal { _ = try list.unverifiedList().manager() } == expected)
        try withFolder { folder in
            let store = try fixture.store(folder)
            #expect(refusal { try store.accept(list.bytes, at: ListFixture.now) } == expected)
        }
        // An app that creates its own rules decides for itself.
        #expect(
            try builtIn.verify(list, at: ListFixture.now, makeManager: { _ in try ServerTrustManager(evaluators: [:]) })
                .sequence == 6)
    }

    @Test(
        "A number that leaves too few for later lists can't be signed by accident, but clients accept the whole range")
    func sequence() throws {
        let fixture = try ListFixture()
        let last = PinList.maximumSequence - PinList.sequenceReserve
        for (sequence, code) in [
            (last, nil), (last + 1, ErrorCode.pinListInvalid), (PinList.maximumSequence, .pinListInvalid),
        ] {
            #expect(refusal { _ = try fixture.payload(sequence, pins: ListFixture.pins(6)) } == code)
        }
        // If such a number is current, subsequent lists can be signed.
        for (sequence, code) in [
            (last + 1, nil), (PinList.maximumSequence, nil),
            (PinList.maximumSequence + 1, ErrorCode.pinListInvalid),
        ] {
            let found = refusal {
                var payload = PinListPayload(
                    audience: ListFixture.audience, sequence: sequence, issued: ListFixture.now,
                    expires: ListFixture.now.advanced(by: 60), pins: ListFixture.pins(6),
                    signers: try fixture.signers())
                payload.usesSequenceReserve = true
                let list = try SignedPinList.signed(try payload.bytes(), by: [fixture.office])
                #expect(try fixture.builtIn().verify(list, at: ListFixture.now).sequence == sequence)
            }
            #expect(found == code)
        }
    }
}
