// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// The system's roots as the text of their file and as a store.
struct SystemRoots {
    /// The bundle's PEM text.
    let pem: [UInt8]
    let file: String
    let anchors: [TrustAnchor]

    init() throws {
        let system = try SystemAnchors()
        self.file = system.files[0]
        self.pem = [UInt8](try Data(contentsOf: URL(fileURLWithPath: system.files[0])))
        self.anchors = system.store.anchors
    }

    /// The system's roots and this one.
    func store(adding root: Certificate) -> AnchorStore {
        AnchorStore(anchors + [TrustAnchor(root)])
    }

    /// The DER of the system's roots.
    var der: [[UInt8]] { anchors.map(\.certificate.der) }
}
