// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// A linter for pin files, with its settings.
///
/// ```swift
/// var linter = PinLinter(at: .now())
/// linter.anchors = try TrustAnchors.system.certificates
/// let findings = linter.findings(in: PinLintSource.sources(reading: bytes, file: "Info.plist"))
/// ```
///
/// The offline checks are synchronous. Their work grows with the size of the files. Checks that need certificates
/// (which pin matches, in which path, until when) run for ``servers``. ``findings(in:probing:progress:)`` also probes
/// live servers. ``PinLintRule/all`` lists the rules.
public struct PinLinter: Sendable {
    /// The date that expiries are compared with.
    public var time: Time

    /// The time before an expiry during which the linter reports it, in whole seconds. The default is 30 days.
    public var horizon = Duration.seconds(30 * 86_400)

    /// The system's anchors, which should contain pinned roots, or nil to skip these checks.
    public var anchors: [Certificate]? {
        didSet { anchorSet = anchors.map { Set($0) } ?? [] }
    }

    /// The certificates of ``anchors``.
    private(set) var anchorSet: Set<Certificate> = []

    /// Whether ``anchors`` are a store of public roots, whose policy removes roots. The default is true.
    public var anchorsArePublic = true

    /// Additional certificates, which identify the owners of pinned keys. They aren't trusted.
    public var certificates: [Certificate] = []

    /// The CA certificates, such as the CCADB's, among which the linter finds an issuer's successors. They aren't
    /// trusted.
    package var successors: [Certificate] = []

    /// The servers with known paths.
    public var servers: [PinnedServer] = []

    /// The keys that must not be pinned. By default, the keys with a publicly known compromise.
    public var denied = DeniedList.knownCompromised

    /// Creates a linter with default settings.
    /// - Parameter time: the date that expiries are compared with.
    public init(at time: Time) { self.time = time }

    /// The time up to which expiries are reported.
    var horizonEnd: Time { time.advanced(by: horizon) }
}
