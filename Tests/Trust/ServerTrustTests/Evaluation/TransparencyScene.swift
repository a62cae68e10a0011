// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustTesting
import TrustScenes

/// A server below a public root, two logs from two operators, and a list that contains them.
struct TransparencyScene {
    static let operators = ["One", "Two", "Three"]

    let scene: TrustScene
    let logs: [TestLog]
    let list: CTLogList

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - count: The number of embedded timestamps, each from another operator.
    ///   - date: The date of the list.
    ///   - change: Changes to the leaf.
    init(
        timestamps count: Int = 2, listedAt date: Time = TestAuthority.now,
        _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws {
        let logs = try Self.operators.map { try TestLog("\($0) 2027", operatedBy: $0) }
        self.logs = logs
        self.list = try CTLogList(json: TestLog.list(logs, at: date), now: date)
        var leaf = CertificateTemplate.leaf(TrustScene.name)
        leaf.timestamps = logs.prefix(count).map { $0.timestamp() }
        change(&leaf)
        self.scene = try TrustScene(leaf: leaf)
    }

    func settings(
        _ mode: TransparencySettings.Mode = .report, policy: CTPolicy = .mozilla
    ) -> TransparencySettings { TransparencySettings(logs: list, policy: policy, mode: mode) }

    /// The root as a root program's anchor.
    func anchors(
        isPublic: Bool = true, _ conditions: [AnchorConditions] = []
    ) -> TrustAnchors {
        TrustAnchors(
            AnchorStore([TrustAnchor(scene.root.certificate, conditions: conditions, isPublic: isPublic)]))
    }

    /// A trust object for the server under the public root, without a signature cache.
    func trust(
        _ settings: TransparencySettings? = nil, at time: Time = TestAuthority.now, handshake: [UInt8]? = nil,
        staple: StapleState = .unknown, _ change: (inout Trust) -> Void = { _ in }
    ) -> Trust {
        let chain = PresentedChain(
            der: scene.chain.map(\.der), staple: staple, signedCertificateTimestampList: handshake)
        return scene.trust(presented: chain, at: time) {
            $0.anchors = anchors()
            $0.settings.transparency = settings
            change(&$0)
        }
    }
}
