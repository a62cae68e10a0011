// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting

/// A server with a leaf for `www.example.com` below an intermediate and a root, and a client with the root in its own
/// store. It is valid unless a test changes it.
package struct TrustScene {
    package static let name = "www.example.com"

    package let root: TestAuthority
    package let intermediate: TestAuthority
    package let leaf: Certificate
    /// The root, in one store for all trust objects.
    package let anchors: TrustAnchors
    package let host: Hostname

    package init(
        root: CertificateTemplate = .authority("Test Root"),
        intermediate: CertificateTemplate = .authority("Test Intermediate"),
        leaf: CertificateTemplate = .leaf(TrustScene.name), host: String = TrustScene.name
    ) throws {
        self.root = try .root(root)
        self.intermediate = try self.root.intermediate(intermediate)
        self.leaf = try self.intermediate.issue(leaf).certificate
        self.anchors = .only([self.root.certificate])
        self.host = try Hostname(host)
    }

    /// Leaf and intermediate, as an honest server sends them.
    package var chain: [Certificate] { [leaf, intermediate.certificate] }

    /// Leaf, intermediate and root, as the engine validates them.
    package var path: [Certificate] { chain + [root.certificate] }

    /// A trust object at ``TestAuthority/now``, under the scene's anchors and without a signature cache.
    package func trust(
        _ chain: [Certificate]? = nil, host: Hostname? = nil, at time: Time = TestAuthority.now,
        _ change: (inout Trust) -> Void = { _ in }
    ) -> Trust {
        trust(presented: PresentedChain(chain ?? self.chain), host: host, at: time, change)
    }

    package func trust(
        presented: PresentedChain, host: Hostname? = nil, at time: Time = TestAuthority.now,
        _ change: (inout Trust) -> Void = { _ in }
    ) -> Trust {
        var trust = Trust(presentedChain: presented, host: host ?? self.host)
        trust.anchors = anchors
        trust.verifyDate = .at(time)
        trust.signatureMemory = nil
        change(&trust)
        return trust
    }

    /// The usual trust object with changes that may throw.
    package func prepared(_ change: (inout Trust) throws -> Void) rethrows -> Trust {
        var trust = trust()
        try change(&trust)
        return trust
    }

    /// A pin of the scene as a set that needs no backup.
    package func pins(_ certificate: Certificate) throws -> SPKIPinsTrustEvaluator {
        SPKIPinsTrustEvaluator(try SPKIPinSet(pinsRiskingLockout: [SPKIPin(certificate)]))
    }

    /// Pins that match no certificate of any scene.
    package static func otherPins() throws -> SPKIPinsTrustEvaluator {
        try SPKIPinsTrustEvaluator(pins: [pin(1)], backup: [pin(2)])
    }

    /// A pin that matches no key.
    package static func pin(_ number: UInt8) -> String {
        "sha256/" + Base64.encode([UInt8](repeating: number, count: 32))
    }
}

extension CertificateTemplate {
    /// Returns the template with its validity ending at `time`.
    package func until(_ time: Time) -> CertificateTemplate { with { $0.notAfter = time } }

    /// Returns the template with its validity starting at `time`.
    package func from(_ time: Time) -> CertificateTemplate { with { $0.notBefore = time } }

    package static let expired = CertificateTemplate.leaf(TrustScene.name).until(TestAuthority.now.advanced(by: -1))
}

extension TrustVerdict {
    package var codes: [TrustFailure.Code] { failures.map(\.code) }
}

/// Accepts every path, or refuses every path with the same failure, and counts its calls.
package final class CountingEvaluator: TrustEvaluator {
    package let isRepeatable: Bool
    private let refusal: TrustFailure?
    private let calls = Locked(0)

    package init(isRepeatable: Bool, refusal: TrustFailure? = nil) {
        self.isRepeatable = isRepeatable
        self.refusal = refusal
    }

    package var count: Int { calls.withLock { $0 } }

    package func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        calls.withLock { $0 += 1 }
        if let refusal { throw TrustFailures(refusal) }
    }
}

/// An observer that records its events.
package final class RecordingObserver: TrustEventObserver {
    private let recorded = Locked<[TrustEvent]>([])

    package init() {}

    package var events: [TrustEvent] { recorded.withLock { $0 } }

    /// The kinds of the events, in order.
    package var kinds: [EventKind] { events.map { EventKind($0) } }

    package func observe(_ event: TrustEvent) { recorded.withLock { $0.append(event) } }
}

package enum EventKind: Hashable {
    case evaluated, refused, backupPin, reportOnly, exception, delegate, anchorSkipped
    case revocationNotChecked, configurationWarning, requestRepeated

    package init(_ event: TrustEvent) {
        self =
            switch event {
            case .evaluated: .evaluated
            case .refused: .refused
            case .pinMatchedByBackup: .backupPin
            case .reportOnlyMismatch: .reportOnly
            case .exceptionApplied: .exception
            case .acceptedByDelegate: .delegate
            case .anchorSkipped: .anchorSkipped
            case .revocationNotChecked: .revocationNotChecked
            case .configurationWarning: .configurationWarning
            case .requestRepeated: .requestRepeated
            }
    }
}
