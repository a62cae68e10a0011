// SPDX-License-Identifier: Apache-2.0

/// Limits of one run of ``CRLPrefetch``. The addresses of base CRLs come from a file. The addresses of delta CRLs come
/// from CRLs that an attacker on the network may have changed.
package struct CRLPrefetchLimits: Sendable {
    /// The maximum number of concurrent exchanges. The default is 8. Each may keep a CRL of ``maximumCRLBytes`` in
    /// memory.
    package var jobs = 8
    /// The maximum number of addresses, including delta CRLs. The default is 20,000. The CAs that browsers know name
    /// about 4,000.
    package var maximumAddresses = 20_000
    /// The maximum number of delta CRL addresses to use from one CRL. The default is 8.
    var maximumDeltasPerCRL = 8
    /// The maximum size of a CRL, in bytes. The default is 32 MiB, which is also the most that evaluations read from a
    /// cache.
    var maximumCRLBytes = TrustResourceLimits().maximumCRLBytes
    /// The maximum size of all CRLs of a run together, in bytes. The default is 2 GiB.
    package var maximumTotalBytes = 2 << 30
    /// The time-out of one exchange, including redirects. The default is 30 seconds.
    var fetchTimeout = Duration.seconds(30)
    /// The time-out of the whole run. The default is 30 minutes.
    package var timeout = Duration.seconds(1800)
    /// The number of failed cache writes after which the run ends. The default is 3.
    var maximumCacheFailures = 3

    /// The lifetime of a CRL if its server states none: an hour.
    static let lifetimeWithoutAge = Duration.hours(1)
    /// The longest lifetime that a server can state: a day.
    static let longestLifetime = Duration.days(1)

    /// Creates limits with the defaults.
    package init() {}
}
