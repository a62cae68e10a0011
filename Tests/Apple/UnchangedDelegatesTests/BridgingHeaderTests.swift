// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

// This file doesn't import CommonCrypto. On Apple platforms, a bridging header makes it available in every file.

@Suite("Names from a bridging header")
struct BridgingHeaderTests {
    @Test("A file that doesn't import CommonCrypto can compute a digest")
    func digest() {
        let data = Data("abc".utf8)
        var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(data.count), &hash) }
        #expect(Data(hash).base64EncodedString() == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }
}
