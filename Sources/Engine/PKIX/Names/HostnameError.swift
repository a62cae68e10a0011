// SPDX-License-Identifier: Apache-2.0

/// The error for a text that isn't a host name. Its codes begin with `host`.
public struct HostnameError: TrustError, Hashable {
    /// The kind of error.
    public let code: ErrorCode
    /// The text that isn't a host name.
    public let text: String

    package init(_ code: ErrorCode, text: String) {
        self.code = code
        self.text = text
    }

    /// Creates the error for a text that isn't an IP address, although it contains a colon or ends in a number.
    init(noAddress text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let code: ErrorCode =
            if text.contains("://") {
                .hostIsURL
            } else if parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
                parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) })
            {
                .hostHasPort
            } else {
                .hostAddressMalformed
            }
        self.init(code, text: text)
    }

    public var message: String {
        let what =
            switch code {
            case .hostEmpty: "is empty"
            case .hostTooLong: "is longer than 253 characters or has a label longer than 63"
            case .hostLabelMalformed:
                "has an empty label, starts with a hyphen, or has a character that host names can't contain"
            case .hostLabelNotCertifiable:
                "has a label that starts or ends with a hyphen, which names in certificates can't have"
            case .hostIsURL: "is a URL, expected only its host"
            case .hostHasPort: "has a port, expected only the host"
            case .hostHasZone: "has an IPv6 zone, expected a host without a zone in a rule or certificate"
            case .hostZoneMalformed:
                "has a malformed IPv6 zone, expected the name or number of an interface: fe80::1%eth0"
            case .hostNotASCII: "isn't ASCII, expected A-labels (xn--…) for an internationalized name"
            default: "looks like an IP address but isn't one"
            }
        return "host name \"\(text)\" \(what)"
    }
}

extension ErrorCode {
    /// The host is an empty text.
    static let hostEmpty = ErrorCode("hostEmpty")
    /// The host is longer than 253 characters, or one of its labels is longer than 63 (RFC 1035 § 2.3.4).
    static let hostTooLong = ErrorCode("hostTooLong")
    /// The host has an empty label, starts with a hyphen, or has a character that host names can't contain.
    static let hostLabelMalformed = ErrorCode("hostLabelMalformed")
    /// A label of the host starts or ends with a hyphen, but the host is meant for a certificate (RFC 1034 § 3.5).
    package static let hostLabelNotCertifiable = ErrorCode("hostLabelNotCertifiable")
    /// The host looks like an IP address but isn't one.
    static let hostAddressMalformed = ErrorCode("hostAddressMalformed")
    /// The text is a URL instead of a host.
    public static let hostIsURL = ErrorCode("hostIsURL")
    /// The text contains a port after the host.
    public static let hostHasPort = ErrorCode("hostHasPort")
    /// The host of a rule or certificate has an IPv6 zone.
    static let hostHasZone = ErrorCode("hostHasZone")
    /// The IPv6 zone isn't the name or number of an interface.
    static let hostZoneMalformed = ErrorCode("hostZoneMalformed")
    /// The host contains a character outside ASCII.
    package static let hostNotASCII = ErrorCode("hostNotASCII")
}
