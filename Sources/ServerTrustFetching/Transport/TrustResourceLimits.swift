// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// How much may be fetched and kept, and how long it may take. Defaults suit a server that talks to some hundred hosts.
public struct TrustResourceLimits: Sendable, Hashable {
    /// For one exchange, redirects included; 5 seconds. A CRL of 10 MB takes 4 over 20 Mbit/s, an OCSP response of 500 bytes what a
    /// connection takes.
    public var fetchTimeout = Duration.seconds(5)

    /// For everything that one evaluation waits for; 10 seconds. Afterwards the verdict is what it is without it.
    public var evaluationTimeout = Duration.seconds(10)

    /// Exchanges at the same time; 16, of which issuers may have half. More wait their turn, which counts for the evaluation's time-out alone.
    public var maximumConcurrentFetches = 16

    /// Bytes that exchanges at the same time may bring together, each counted as the most that its kind allows; 256 MiB, eight CRLs.
    /// One alone may always run.
    public var maximumBytesInFlight = 256 << 20

    /// Bytes of an issuer's certificate, or of a bundle of them; 64 KiB.
    public var maximumIssuerBytes = 64 << 10

    /// Bytes of an OCSP response; 64 KiB. Responses have 500 bytes to 4 KB.
    public var maximumOCSPBytes = 64 << 10

    /// Bytes of a CRL; 32 MiB. The largest of public CAs had some 10 MB.
    public var maximumCRLBytes = 32 << 20

    /// Redirects of one exchange; 3.
    public var maximumRedirects = 3

    /// Bytes that are kept in memory, least recently used gone first; 64 MiB.
    public var memoryBytes = 64 << 20

    /// Resources that are fetched for one evaluation; 16. Addresses come from certificates, which anybody may have written.
    public var maximumFetchesPerEvaluation = 16

    /// How far up missing issuers are followed, a round for each; 4.
    public var maximumIssuerRounds = 4

    /// Fetched certificates that become candidates in one evaluation; 64.
    public var maximumFetchedIssuers = 64

    /// Seconds after which something is fetched anew although it would hold for longer; 7 days. If that fails, what is there serves
    /// as long as it holds.
    public var maximumLifetime: Int64 = 7 * 86_400

    /// How far clocks may be apart, in seconds; 5 minutes.
    public var clockTolerance: Int64 = 300

    /// The wait after a first failure, doubled with each further one; 5 seconds, of which a random part of up to a half is
    /// taken off, so that not all clients come back together.
    public var initialBackOff = Duration.seconds(5)

    /// The longest wait; 15 minutes.
    public var maximumBackOff = Duration.seconds(900)

    /// Failures that are remembered; 1024. Beyond, those whose wait ends first are forgotten.
    public var maximumRememberedFailures = 1024

    public init() {}

    func maximumBytes(of kind: TrustResource.Kind) -> Int {
        switch kind {
        case .issuer: maximumIssuerBytes
        case .ocsp: maximumOCSPBytes
        case .crl: maximumCRLBytes
        }
    }
}
