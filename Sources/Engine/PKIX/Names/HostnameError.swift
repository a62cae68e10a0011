// SPDX-License-Identifier: Apache-2.0

/// The error for a text that isn't a host name. Its codes begin with `host`.
public struct HostnameError: TrustError, Hashable {
    /// The kind of error.
    public let code: ErrorCode
    /// The text.
    public let text: String

    package init(_ code: ErrorCode, text: String) {
        self.code = code
        self.text = text
    }

    /// Creates the error for a text with a colon, or with a number at its end, that isn't an IP address.
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
                "has an empty label, a hyphen at its start, or a character that host names do not have"
            case .hostLabelNotCertifiable:
                "has a label that starts or ends with a hyphen, which names in certificates do not have"
            case .hostIsURL: "is a URL, expected the host in it without the rest"
            case .hostHasPort: "has a port, expected the host without it"
            case .hostHasZone: "has an IPv6 zone, which neither a rule nor a certificate can name; leave it out"
            case .hostZoneMalformed:
                "has an IPv6 zone that can not be read, expected the name or number of an interface: fe80::1%eth0"
            case .hostNotASCII: "is not ASCII; write internationalised names as A-labels (xn--…)"
            default: "looks like an IP address and is not one"
            }
        return "host name \"\(text)\" \(what)"
    }
}

extension ErrorCode {
    /// The host is an empty text.
    package static let hostEmpty = ErrorCode("hostEmpty")
    /// The host is longer than 253 characters, or a label of it than 63 (RFC 1035 § 2.3.4).
    package static let hostTooLong = ErrorCode("hostTooLong")
    /// The host has an empty label, a hyphen at its start, or a character that host names don't have.
    package static let hostLabelMalformed = ErrorCode("hostLabelMalformed")
    /// The host has a hyphen at an end of a label and is meant for a certificate (RFC 1034 § 3.5).
    package static let hostLabelNotCertifiable = ErrorCode("hostLabelNotCertifiable")
    /// The host has the form of an IP address and isn't one.
    package static let hostAddressMalformed = ErrorCode("hostAddressMalformed")
    /// The text is a URL, not the host in it.
    public static let hostIsURL = ErrorCode("hostIsURL")
    /// The host is followed by a port.
    public static let hostHasPort = ErrorCode("hostHasPort")
    /// The host of a rule or of a certificate has an IPv6 zone.
    package static let hostHasZone = ErrorCode("hostHasZone")
    /// The IPv6 zone isn't the name or number of an interface.
    package static let hostZoneMalformed = ErrorCode("hostZoneMalformed")
    /// The host has a character outside ASCII.
    package static let hostNotASCII = ErrorCode("hostNotASCII")
}
