// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in the text of a host pattern.
public struct HostPatternError: TrustError, Hashable {
    /// The kind of error, one of the `hostPattern…` codes.
    public let code: ErrorCode
    /// The text as it was given.
    public let text: String
    /// The label with the star, for `hostPatternWildcardMisplaced`; otherwise nil.
    package let label: String?
    /// The error in the name behind the stars, for `hostPatternHostInvalid`; otherwise nil.
    package let host: HostnameError?

    /// Creates an error.
    package init(_ text: String, _ code: ErrorCode, label: String? = nil, host: HostnameError? = nil) {
        self.code = code
        self.text = text
        self.label = label
        self.host = host
    }

    /// One line for people; its wording may change.
    public var message: String {
        let what =
            switch code {
            case .hostPatternEmpty:
                "is empty, expected a host name such as example.com, *.example.com or **.example.com"
            case .hostPatternWithoutName: "has no name behind its wildcard, expected one, as in **.example.com"
            case .hostPatternWildcardMisplaced:
                "has a wildcard in the label \"\(label ?? "")\", expected it as the whole first label, as in *.example.com or **.example.com"
            case .hostPatternWildcardBeforeAddress: "has a wildcard before an IP address, expected only the address"
            case .hostPatternTooLong:
                "matches no host, as its name is longer than 251 characters and host names have 253 at most"
            case .hostPatternHasScheme: "has a scheme, expected only a host, without https:// or the like"
            case .hostPatternHasPort: "has a port, expected only a host; a pattern is for all ports of it"
            case .hostPatternHasPath:
                "has a path or an address range, expected only a host, without anything from a / on"
            default: "has no host name: \(host.map(\.description) ?? code.name)"
            }
        return "host pattern \"\(text)\" \(what)"
    }
}

extension ErrorCode {
    /// The text of a host pattern is empty.
    package static let hostPatternEmpty = ErrorCode("hostPatternEmpty")
    /// A wildcard without a name behind it: no pattern matches every host.
    package static let hostPatternWithoutName = ErrorCode("hostPatternWithoutName")
    /// A star that isn't the whole first label, or more than two stars.
    package static let hostPatternWildcardMisplaced = ErrorCode("hostPatternWildcardMisplaced")
    /// A wildcard before an IP address, which has no subdomains.
    package static let hostPatternWildcardBeforeAddress = ErrorCode("hostPatternWildcardBeforeAddress")
    /// `*.` before a name that is so long that no host name has room for a further label.
    package static let hostPatternTooLong = ErrorCode("hostPatternTooLong")
    /// A URL in place of a host pattern.
    package static let hostPatternHasScheme = ErrorCode("hostPatternHasScheme")
    /// A port behind the host, as in `example.com:443`.
    package static let hostPatternHasPort = ErrorCode("hostPatternHasPort")
    /// A path, a query, a fragment or an address range behind the host.
    package static let hostPatternHasPath = ErrorCode("hostPatternHasPath")
    /// The name behind the stars is no host name.
    package static let hostPatternHostInvalid = ErrorCode("hostPatternHostInvalid")
}
