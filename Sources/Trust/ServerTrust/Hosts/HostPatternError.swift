// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in the text of a host pattern.
public struct HostPatternError: TrustError, Hashable {
    /// The kind of error, one of the `hostPattern…` codes.
    public let code: ErrorCode
    /// The text that isn't a pattern.
    public let text: String
    /// The label with the star, for `hostPatternWildcardMisplaced`. Otherwise nil.
    let label: String?
    /// The error in the name after the stars, for `hostPatternHostInvalid`. Otherwise nil.
    package let host: HostnameError?

    /// Creates an error.
    init(_ text: String, _ code: ErrorCode, label: String? = nil, host: HostnameError? = nil) {
        self.code = code
        self.text = text
        self.label = label
        self.host = host
    }

    /// One line for people. The wording may change.
    public var message: String {
        let what =
            switch code {
            case .hostPatternEmpty:
                "is empty, expected a host name such as example.com, *.example.com or **.example.com"
            case .hostPatternWithoutName: "has no name after its wildcard, expected a name, as in **.example.com"
            case .hostPatternWildcardMisplaced:
                "has a wildcard in the label \"\(label ?? "")\", expected it as the whole first label, as in *.example.com or **.example.com"
            case .hostPatternWildcardBeforeAddress: "has a wildcard before an IP address, expected only the address"
            case .hostPatternTooLong:
                "can't match any host, because its name is longer than 251 characters and host names have at most 253"
            case .hostPatternHasScheme: "has a scheme, expected only a host without https://"
            case .hostPatternHasPort: "has a port, expected only a host; a pattern applies to all ports of the host"
            case .hostPatternHasPath:
                "has a path or an address range, expected only a host without / and the text after it"
            default: "doesn't contain a valid host name: \(host.map(\.description) ?? code.name)"
            }
        return "host pattern \"\(text)\" \(what)"
    }
}

extension ErrorCode {
    /// The text of a host pattern is empty.
    static let hostPatternEmpty = ErrorCode("hostPatternEmpty")
    /// A wildcard without a name after it. No pattern matches every host.
    static let hostPatternWithoutName = ErrorCode("hostPatternWithoutName")
    /// A star that isn't the whole first label, or more than two stars.
    static let hostPatternWildcardMisplaced = ErrorCode("hostPatternWildcardMisplaced")
    /// A wildcard before an IP address, which has no subdomains.
    static let hostPatternWildcardBeforeAddress = ErrorCode("hostPatternWildcardBeforeAddress")
    /// `*.` before a name that leaves no room for another label.
    static let hostPatternTooLong = ErrorCode("hostPatternTooLong")
    /// A URL instead of a host pattern.
    static let hostPatternHasScheme = ErrorCode("hostPatternHasScheme")
    /// A port after the host, as in `example.com:443`.
    static let hostPatternHasPort = ErrorCode("hostPatternHasPort")
    /// A path, a query, a fragment or an address range after the host.
    static let hostPatternHasPath = ErrorCode("hostPatternHasPath")
    /// The name after the stars isn't a host name.
    static let hostPatternHostInvalid = ErrorCode("hostPatternHostInvalid")
}
