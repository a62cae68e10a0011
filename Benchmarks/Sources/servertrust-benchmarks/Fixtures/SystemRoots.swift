// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The system's roots as the text of their file and as a store.
struct SystemRoots {
    /// The bundle's PEM text.
    let pem: [UInt8]
    let file: String
    let anchors: [Certificate]

    init() throws {
        let system = try TrustAnchors.readSystem()
        self.file = system.files[0]
        self.pem = [UInt8](try Data(contentsOf: URL(fileURLWithPath: system.files[0])))
        self.anchors = try system.certificates
    }
}
