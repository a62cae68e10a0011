// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Which certificates a refused chain may lack, and where they are said to be.
enum MissingIssuers {
    /// Addresses of issuers (RFC 5280 § 4.2.2.1) that could lead to a path where there is none: those of the certificates at which
    /// the search ended first, then those below them, without repetitions.
    ///
    /// Empty if an issuer can't help: what is wrong with the leaf itself stays wrong, and where a path was found and refused by
    /// a rule of the caller's own, there was a path.
    static func addresses(for verdict: TrustVerdict) -> [String] {
        guard !verdict.isTrusted, !verdict.rejectedPaths.contains(where: wasFound) else { return [] }
        var addresses: [String] = []
        var seen: Set<String> = []
        for path in verdict.rejectedPaths where path.failures.allSatisfy(mayBeCured) {
            for certificate in path.certificates.reversed() where !certificate.isSelfIssued {
                for address in certificate.issuerAddresses where seen.insert(address).inserted {
                    addresses.append(address)
                }
            }
        }
        return addresses
    }

    /// Whether the engine has nothing against a path.
    private static func wasFound(_ path: RejectedPath) -> Bool {
        path.reachesAnchor && !path.failures.contains { engineCodes.contains($0.code) }
    }

    private static let engineCodes = Set(TrustFailure.Code.engine)

    /// Whether another certificate of the issuer, or of another one of its name, could make it right.
    private static func mayBeCured(_ failure: TrustFailure) -> Bool {
        switch failure.code {
        case .unknownIssuer, .untrustedRoot, .signatureInvalid: true
        case let code: (failure.certificate ?? 0) > 0 && engineCodes.contains(code)
        }
    }
}

extension Certificate {
    /// Where its issuer's certificate is said to be, over HTTP: `ldap` and its like aren't fetched.
    fileprivate var issuerAddresses: [String] {
        authorityInformationAccess.compactMap { access in
            guard access.method == .caIssuersAccess, case .uniformResourceIdentifier(let address) = access.location,
                address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://")
            else { return nil }
            return address
        }
    }
}
