// SPDX-License-Identifier: Apache-2.0

/// Limits of one run of ``CRLPrefetch``. Addresses of base CRLs come from a file, and those of deltas from CRLs that anyone on the way may
/// have changed.
package struct CRLPrefetchLimits: Sendable {
    /// The largest number of concurrent exchanges; 8. Each may have a CRL of ``maximumCRLBytes`` in memory.
    package var jobs = 8
    /// The largest number of addresses, deltas included; 20,000. The CAs that browsers know name some 4,000.
    package var maximumAddresses = 20_000
    /// The largest number of addresses of deltas that are taken from one CRL; 8.
    package var maximumDeltasPerCRL = 8
    /// The largest size of a CRL, in bytes; 32 MiB, which is also the most that evaluations take from a cache.
    package var maximumCRLBytes = TrustResourceLimits().maximumCRLBytes
    /// The largest size of all CRLs of a run together, in bytes; 2 GiB.
    package var maximumTotalBytes = 2 << 30
    /// The time-out of one exchange, redirects included; 30 seconds.
    package var fetchTimeout = Duration.seconds(30)
    /// The time-out of the whole run; 30 minutes.
    package var timeout = Duration.seconds(1800)
    /// The number of failed writes to the cache after which the run ends; 3.
    package var maximumCacheFailures = 3

    /// The lifetime of a CRL whose server gives none; an hour.
    package static let lifetimeWithoutAge = Duration.hours(1)
    /// The longest lifetime that a server can give; a day.
    package static let longestLifetime = Duration.days(1)

    /// Creates limits with the defaults.
    package init() {}
}
