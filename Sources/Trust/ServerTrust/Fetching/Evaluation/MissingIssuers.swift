// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The addresses of issuers that may be missing from a refused chain.
enum MissingIssuers {
    /// Returns the addresses of issuers (RFC 5280 § 4.2.2.1) that could complete a missing path. Addresses in
    /// the certificates where the search ended come first, then those in the certificates below, without duplicates.
    ///
    /// Empty if an issuer can't help: a failure of the leaf itself stays, and a path that only an evaluator refused is
    /// already complete.
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

    /// Returns whether the engine found no failure on a path.
    private static func wasFound(_ path: RejectedPath) -> Bool {
        path.reachesAnchor && !path.failures.contains { engineCodes.contains($0.code) }
    }

    private static let engineCodes = Set(TrustFailure.Code.engine)

    /// Returns whether another certificate of the issuer, or of another issuer with the same name, could fix a failure.
    private static func mayBeCured(_ failure: TrustFailure) -> Bool {
        switch failure.code {
        case .unknownIssuer, .issuerUnreadable, .untrustedRoot, .signatureInvalid: true
        case let code: (failure.certificate ?? 0) > 0 && engineCodes.contains(code)
        }
    }
}

extension Certificate {
    /// The HTTP addresses of the issuer's certificate.
    fileprivate var issuerAddresses: [String] {
        authorityInformationAccess.compactMap { access in
            guard access.method == .caIssuersAccess, case .uniformResourceIdentifier(let address) = access.location
            else {
                return nil
            }
            return address.isWebAddress ? address : nil
        }
    }
}
