// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

/// A linter for files of pins, with its settings.
///
/// ```swift
/// var linter = PinLinter(at: .now())
/// linter.anchors = try TrustAnchors.system.certificates
/// let findings = linter.findings(in: PinLintSource.sources(reading: bytes, file: "Info.plist"))
/// ```
///
/// The offline checks are synchronous; their work grows with the size of the files. Checks that need certificates (which pin is met,
/// by which path, until when) are made for ``servers``. ``findings(in:probing:progress:)`` probes live servers as well.
/// ``PinLintRule/all`` lists the rules.
public struct PinLinter: Sendable {
    /// The date for which expiries are checked.
    public var time: Time

    /// The time within which an expiry is reported, in whole seconds; 30 days by default.
    public var horizon = Duration.seconds(30 * 86_400)

    /// The system's anchors, among which pinned roots are expected; nil to skip these checks.
    public var anchors: [Certificate]? {
        didSet { anchorSet = anchors.map { Set($0) } ?? [] }
    }

    /// The certificates of ``anchors``.
    private(set) var anchorSet: Set<Certificate> = []

    /// Whether ``anchors`` are a store of public roots, which are removed by the store's policy; true by default.
    public var anchorsArePublic = true

    /// Additional certificates, by which the owners of pinned keys are known. They are not trusted.
    public var certificates: [Certificate] = []

    /// The certificates of CAs, such as those of the CCADB, among which an issuer's successors are found. They are not trusted.
    package var successors: [Certificate] = []

    /// The servers with known paths.
    public var servers: [PinnedServer] = []

    /// The keys that must not be pinned; those with a publicly known compromise by default.
    public var denied = DeniedList.knownCompromised

    /// Creates a linter with default settings.
    /// - Parameter time: the date for which expiries are checked.
    public init(at time: Time) { self.time = time }

    /// The time before which an expiry is reported.
    var horizonEnd: Time { time.advanced(by: horizon) }
}
