// SPDX-License-Identifier: Apache-2.0

/// Limits of fetches and of the memory for their answers. The defaults suit a server that connects to a few hundred
/// hosts.
public struct TrustResourceLimits: Sendable, Hashable {
    /// The time-out of one exchange, including redirects. The default is 5 seconds. A CRL of 10 MB takes 4 seconds over
    /// 20 Mbit/s.
    public var fetchTimeout = Duration.seconds(5)

    /// The time-out of all fetches of one evaluation together. The default is 10 seconds. After the time-out, the
    /// evaluation ends without the missing answers.
    public var evaluationTimeout = Duration.seconds(10)

    /// The maximum number of concurrent exchanges. The default is 16. Issuers may use half of them. A quarter, at least
    /// one of several, is reserved for OCSP responses. Further exchanges wait in a queue, and this wait only counts
    /// toward the evaluation's time-out.
    var maximumConcurrentFetches = 16

    /// The maximum size of concurrent CRLs and issuers together, in bytes. Each counts with the maximum size of its
    /// kind. The default is 256 MiB, which is eight CRLs. A single exchange may always run. OCSP responses don't count,
    /// because all places together take only 1 MiB.
    var maximumBytesInFlight = 256 << 20

    /// The maximum size of an issuer's certificate, or of a bundle of certificates, in bytes. The default is 64 KiB.
    var maximumIssuerBytes = 64 << 10

    /// The maximum size of an OCSP response, in bytes. The default is 64 KiB. Responses usually have 500 bytes to 4 KB.
    var maximumOCSPBytes = 64 << 10

    /// The maximum size of a CRL, in bytes. The default is 32 MiB. The largest CRL of public CAs had about 10 MB.
    public var maximumCRLBytes = 32 << 20

    /// The maximum number of redirects of one exchange. The default is 3.
    var maximumRedirects = 3

    /// The size of the memory for answers, in bytes. The default is 64 MiB. The least recently used answers are removed
    /// first.
    public var memoryBytes = 64 << 20

    /// The maximum number of resources to fetch for one evaluation. The default is 16. Addresses come from
    /// certificates, which an attacker may have written.
    var maximumFetchesPerEvaluation = 16

    /// The maximum number of levels of missing issuers, each fetched in a separate round. The default is 4.
    var maximumIssuerRounds = 4

    /// The maximum number of fetched certificates that become candidates in one evaluation. The default is 64.
    var maximumFetchedIssuers = 64

    /// The age at which a resource is fetched again even if its own dates allow more. The default is 7 days. If this
    /// fails, the resource is used for as long as its dates allow.
    var maximumLifetime = Duration.days(7)

    /// The tolerated difference between clocks. The default is 5 minutes.
    var clockTolerance = Duration.seconds(300)

    /// The wait after a first failure. The default is 5 seconds. It doubles with each further failure. Up to half of it
    /// is subtracted at random, so that clients don't retry at the same moment.
    var initialBackOff = Duration.seconds(5)

    /// The longest wait after failures. The default is 15 minutes.
    var maximumBackOff = Duration.seconds(900)

    /// The maximum number of remembered failures. The default is 1024. Beyond this number, the failures whose wait ends
    /// first are forgotten.
    var maximumRememberedFailures = 1024

    /// Creates limits with the default values.
    public init() {}

    func maximumBytes(of kind: TrustResource.Kind) -> Int {
        switch kind {
        case .issuer: maximumIssuerBytes
        case .ocsp: maximumOCSPBytes
        case .crl: maximumCRLBytes
        }
    }
}
