// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

// No import of CommonCrypto: on Apple platforms a bridging header brings it to every file.

@Suite("Names that a bridging header brings")
struct BridgingHeaderTests {
    @Test("A file that doesn't import CommonCrypto computes a digest")
    func digest() {
        let data = Data("abc".utf8)
        var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(data.count), &hash) }
        #expect(Data(hash).base64EncodedString() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }
}
