// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Limits of fetches and of the memory for their answers. Defaults suit a server that talks to some hundred hosts.
public struct TrustResourceLimits: Sendable, Hashable {
    /// The time-out of one exchange, redirects included; 5 seconds. A CRL of 10 MB takes 4 seconds over 20 Mbit/s.
    public var fetchTimeout = Duration.seconds(5)

    /// The time-out of all fetches of one evaluation together; 10 seconds. Afterwards the verdict is made without their
    /// answers.
    public var evaluationTimeout = Duration.seconds(10)

    /// The largest number of concurrent exchanges; 16, of which issuers may have half. A quarter, at least one of
    /// several, is for OCSP responses alone. Further ones wait in a queue; the wait counts for the evaluation's time-out
    /// alone.
    package var maximumConcurrentFetches = 16

    /// The largest sum of bytes of concurrent CRLs and issuers, each counted as the most that its kind allows; 256 MiB,
    /// eight CRLs. A single exchange may always run. OCSP responses don't count: all places together have 1 MiB.
    package var maximumBytesInFlight = 256 << 20

    /// The largest size of an issuer's certificate, or of a bundle of them, in bytes; 64 KiB.
    package var maximumIssuerBytes = 64 << 10

    /// The largest size of an OCSP response, in bytes; 64 KiB. Responses have 500 bytes to 4 KB.
    package var maximumOCSPBytes = 64 << 10

    /// The largest size of a CRL, in bytes; 32 MiB. The largest of public CAs had some 10 MB.
    public var maximumCRLBytes = 32 << 20

    /// The largest number of redirects of one exchange; 3.
    package var maximumRedirects = 3

    /// The size of memory for answers, in bytes; 64 MiB. The least recently used are removed first.
    public var memoryBytes = 64 << 20

    /// The largest number of resources that are fetched for one evaluation; 16. Addresses come from certificates, which
    /// an attacker may have written.
    package var maximumFetchesPerEvaluation = 16

    /// The largest number of levels of missing issuers, each fetched in a round of its own; 4.
    package var maximumIssuerRounds = 4

    /// The largest number of fetched certificates that become candidates in one evaluation; 64.
    package var maximumFetchedIssuers = 64

    /// The age after which a resource is fetched again although its own dates allow more; 7 days. If that
    /// fails, the resource is used for as long as its dates allow.
    package var maximumLifetime = Duration.days(7)

    /// The tolerated difference between clocks; 5 minutes.
    package var clockTolerance = Duration.seconds(300)

    /// The wait after a first failure; 5 seconds. It doubles with each further failure. A random part of up to a half
    /// is taken off, so that clients don't retry at the same moment.
    package var initialBackOff = Duration.seconds(5)

    /// The longest wait after failures; 15 minutes.
    package var maximumBackOff = Duration.seconds(900)

    /// The largest number of remembered failures; 1024. Beyond, those whose wait ends first are forgotten.
    package var maximumRememberedFailures = 1024

    /// Creates limits with the defaults.
    public init() {}

    func maximumBytes(of kind: TrustResource.Kind) -> Int {
        switch kind {
        case .issuer: maximumIssuerBytes
        case .ocsp: maximumOCSPBytes
        case .crl: maximumCRLBytes
        }
    }
}
