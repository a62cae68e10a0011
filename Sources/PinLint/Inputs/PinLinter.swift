// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Looks for what goes wrong with pins, before users find it out.
///
/// ```swift
/// var linter = PinLinter(at: .now())
/// linter.anchors = try .system()
/// let findings = linter.findings(in: PinLintSource.sources(reading: bytes, file: "Info.plist"))
/// ```
///
/// Synchronous, without network; its work grows with the size of the files. What needs certificates (which pin is met, by which path,
/// until when) is found out for the ``servers`` that are known, and left out for others. ``PinLintRule/all`` lists the rules.
public struct PinLinter: Sendable {
    /// The date that is asked about.
    public var time: Time

    /// What ends within so many seconds is told; 30 days unless told.
    public var horizon: Int64 = 30 * 86_400

    /// The system's anchors, against which pinned roots are held; nil to leave that out.
    public var anchors: AnchorStore?

    /// Whether ``anchors`` are a store of public roots, which leave it by its keeper's rules.
    public var anchorsArePublic = true

    /// Certificates that are known besides, to tell whose keys are pinned. They gain no trust by it.
    public var certificates: [Certificate] = []

    /// Servers whose paths are known.
    public var servers: [PinnedServer] = []

    /// Keys that nobody may pin; those whose compromise is public unless told otherwise.
    public var denyList = PinDenyList.knownCompromised

    /// - Parameter time: the date that is asked about.
    public init(at time: Time) { self.time = time }
}
