// SPDX-License-Identifier: Apache-2.0

/// The description of an alert (RFC 8446 § 6, and the registry of TLS Alerts).
///
/// It doesn't include the level, because in TLS 1.3 the description implies the severity.
package struct TLSAlert: Sendable, Hashable, CustomStringConvertible {
    package let code: UInt8

    package init(_ code: UInt8) { self.code = code }

    package static let closeNotify = TLSAlert(0)
    package static let handshakeFailure = TLSAlert(40)
    package static let protocolVersion = TLSAlert(70)
    package static let userCanceled = TLSAlert(90)
    package static let unrecognizedName = TLSAlert(112)
    package static let certificateRequired = TLSAlert(116)
    package static let noApplicationProtocol = TLSAlert(120)

    /// Whether the alert is about the peer's certificate. In an alert from a server, that is the client's certificate.
    package var isAboutCertificate: Bool { (41...46).contains(code) || [48, 49, 116].contains(code) }

    /// Names that the registry reserves come from older versions. They are listed without the suffix `_RESERVED`.
    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 21: "decryption_failed",
        22: "record_overflow", 30: "decompression_failure", 40: "handshake_failure", 41: "no_certificate",
        42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked", 45: "certificate_expired",
        46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca", 49: "access_denied",
        50: "decode_error", 51: "decrypt_error", 52: "too_many_cids_requested", 60: "export_restriction",
        70: "protocol_version", 71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback",
        90: "user_canceled", 100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
        111: "certificate_unobtainable", 112: "unrecognized_name", 113: "bad_certificate_status_response",
        114: "bad_certificate_hash_value", 115: "unknown_psk_identity", 116: "certificate_required",
        117: "general_error", 120: "no_application_protocol", 121: "ech_required",
    ]

    /// The registered name, or `alert N` for a number without a name.
    package var description: String { Self.names[code] ?? "alert \(code)" }
}
