// SPDX-License-Identifier: Apache-2.0

// Access for the fuzz targets, which are a package of their own, to parts that no user needs.

@_spi(Fuzzing)
extension Certificate {
    /// Reads every extension that the library's users don't see.
    /// - Returns: the number of values, so that no read is optimized away.
    public func readInternalExtensions() -> Int {
        (nameConstraints.map { $0.permittedSubtrees.count + $0.excludedSubtrees.count } ?? 0)
            + (policyMappings?.count ?? 0) + (policyConstraints?.requireExplicitPolicy ?? 0) + (inhibitAnyPolicy ?? 0)
            + crlDistributionPoints.count + freshestCRL.count
    }
}

@_spi(Fuzzing)
extension CertificateRevocationList {
    /// Reads every extension that the library's users don't see.
    /// - Returns: the number of values, so that no read is optimized away.
    public func readInternalExtensions() -> Int {
        (number?.count ?? 0) + (deltaBaseNumber?.count ?? 0) + (issuingDistributionPoint?.fullName.count ?? 0)
            + freshestCRL.count + (authorityKeyIdentifier?.count ?? 0)
    }
}
