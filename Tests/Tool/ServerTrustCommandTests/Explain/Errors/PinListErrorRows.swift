// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

@testable import ServerTrustPins

extension ErrorRow {
    /// The errors in signing keys and signed lists.
    static let pinLists: [ErrorRow] = keys + signers + documents + signedLists

    // MARK: - Keys

    private static let keys: [ErrorRow] = [
        key(.pinSigningKeyNotPEM, "key"),
        key(.pinSigningKeyUnsupported, PEM.encode([0x30, 0], label: "PUBLIC KEY")),
        // y is the prime of the curve, which is another encoding of 0.
        key(.pinSigningKeyInvalid, ed25519([0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f])),
        key(.pinSigningKeyUnsafe, ed25519([UInt8](repeating: 0, count: 32))),
    ]

    private static func key(_ code: ErrorCode, _ text: String) -> ErrorRow {
        ErrorRow(PinSigningKeyError.self, code, { _ in [:] }) { try PinSigningKey(pem: text) }
    }

    private static func ed25519(_ bytes: [UInt8]) -> String {
        PEM.encode(
            [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00] + bytes, label: "PUBLIC KEY")
    }

    private static let signers: [ErrorRow] = [
        signers(.pinSignersEmpty, ["count": "0"]) { try PinSigners([]) },
        signers(.pinSignersTooMany, ["count": "17"]) {
            try PinSigners((0..<17).map { _ in try PinSigningPrivateKey(.ed25519).publicKey })
        },
        signers(.pinSignersDuplicate, ["count": "2"]) {
            let key = try PinSigningPrivateKey(.ed25519).publicKey
            return try PinSigners([key, key])
        },
        signers(.pinSignersThreshold, ["count": "1", "threshold": "2"]) {
            try PinSigners([PinSigningPrivateKey(.ed25519).publicKey], threshold: 2)
        },
    ]

    private static func signers(
        _ code: ErrorCode, _ expected: [String: String], _ create: () throws -> Any
    ) -> ErrorRow {
        ErrorRow(
            PinSignersError.self, code, having: expected, { ["count": $0.count, "threshold": $0.threshold] }, by: create
        )
    }

    // MARK: - Lists

    private static func values(_ error: PinListError) -> Values {
        ["place": error.place, "expected": error.expected, "found": error.found]
    }

    private static let documents: [ErrorRow] = [
        document(.pinListTooLarge, [UInt8](repeating: 0x20, count: SignedPinList.maximumSize + 1)),
        document(.pinListTruncated, []), document(.pinListMalformed, Array("pins".utf8)),
    ]

    private static func document(_ code: ErrorCode, _ bytes: [UInt8]) -> ErrorRow {
        ErrorRow(PinListError.self, code, values) { try SignedPinList(bytes) }
    }

    // The PinUpdates tests have a list for each of these codes.

    private static let ofPlaces: [ErrorCode] = [
        .pinListPinsInvalid, .pinListDeniedInvalid, .pinListInvalid, .pinListStoreUnreadable, .pinListStoreNotWritable,
    ]
    private static let bare: [ErrorCode] = [.pinListFiltersInvalid, .pinListLogsInvalid, .pinListLogsDropped]
    private static let withExpected: [ErrorCode] = [
        .pinListForeignType, .pinListUnknownVersion, .pinListRootDropped, .pinListSignatureInvalid,
    ]
    private static let compared: [ErrorCode] = [
        .pinListAlgorithmNotAllowed, .pinListUnknownSigner, .pinListBelowThreshold, .pinListUnprovenSigners,
        .pinListRootRequired, .pinListForeignAudience, .pinListSequenceReused, .pinListIssuedEarlier,
        .pinListClockSetBack, .pinListNotYetValid, .pinListExpired, .pinListHostUnpinned,
    ]

    private static let signedLists: [ErrorRow] =
        ofPlaces.map { list($0, at: "the list") } + bare.map { list($0) }
        + withExpected.map { list($0, expected: .text("expected")) }
        + compared.map { list($0, expected: .text("expected"), found: .text("found")) }
        + [
            list(.pinListUnknownCriticalField, found: .text("found")),
            list(.pinListRollback, at: "the list", expected: .number(6), found: .number(4)),
        ]

    private static func list(
        _ code: ErrorCode, at place: String? = nil, expected: TrustFailure.Value? = nil,
        found: TrustFailure.Value? = nil
    ) -> ErrorRow {
        ErrorRow(PinListError(code, "refused", at: place, expected: expected, found: found), values)
    }
}
