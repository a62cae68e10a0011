// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The parsed contents of a resource. They stay together with its bytes, so that each resource is parsed once.
enum ResourceContents: Sendable, Hashable {
    case issuers([Certificate])
    case crl(CertificateRevocationList)
    case ocsp(OCSPResponse)
}

/// A parsed resource: its contents and dates.
struct ParsedResource: Sendable, Hashable {
    let contents: ResourceContents?
    let dates: ResourceDates
}

/// A parser for resources.
struct ResourceReader: Sendable {
    /// Parses bytes.
    /// - Returns: the resource, or nil for bytes of another format.
    let parse: @Sendable (_ bytes: [UInt8], _ kind: TrustResource.Kind) -> ParsedResource?

    /// The parsers of this package.
    static let standard = ResourceReader { bytes, kind in
        switch kind {
        case .issuer:
            guard let found = try? CertificateCollection(der: bytes), !found.certificates.isEmpty else { return nil }
            return ParsedResource(
                contents: .issuers(found.certificates),
                dates: ResourceDates(nextUpdate: found.certificates.map(\.notAfter).max()))
        case .crl:
            guard let list = try? CertificateRevocationList(der: bytes) else { return nil }
            return ParsedResource(
                contents: .crl(list), dates: ResourceDates(thisUpdate: list.thisUpdate, nextUpdate: list.nextUpdate))
        case .ocsp:
            guard let response = try? OCSPResponse(der: bytes) else { return nil }
            let answers = response.responses
            // A response with several answers is fresh only as long as all of them are.
            let ends = answers.map(\.nextUpdate)
            return ParsedResource(
                contents: .ocsp(response),
                dates: ResourceDates(
                    thisUpdate: answers.map(\.thisUpdate).max(),
                    nextUpdate: ends.contains(nil) ? nil : ends.compactMap { $0 }.min(), isAnswer: !answers.isEmpty))
        }
    }
}
