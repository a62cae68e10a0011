// SPDX-License-Identifier: Apache-2.0

/// Queries for fuzz targets and benchmarks, which are outside of the package.
@_spi(Fuzzing)
extension RevocationFilter {
    /// Returns the status of a certificate: `Good`, `Revoked`, `NotCovered` or `NotEnrolled`.
    public func statusName(
        issuerKey: [UInt8], serial: [UInt8], timestamps: [(log: [UInt8], milliseconds: UInt64)]
    ) -> String {
        status(issuerKey: issuerKey, serial: serial, timestamps: timestamps).rawValue
    }

    /// Returns the hashes of the first issuers, at most `maximumCount`.
    public func issuers(maximumCount: Int) -> [[UInt8]] { hashes(of: maximumCount) }

    /// Returns the first entries of the coverage, at most `maximumCount`.
    public func coverage(maximumCount: Int) -> [(log: [UInt8], first: UInt64, last: UInt64)] {
        coverageEntries(maximumCount)
    }
}
