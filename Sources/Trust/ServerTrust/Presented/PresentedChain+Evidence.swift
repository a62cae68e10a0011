// SPDX-License-Identifier: Apache-2.0

import PKIX

extension PresentedChain {
    /// The handshake's signed certificate timestamps, each as serialized in RFC 6962 § 3.3. Empty if the server sent
    /// none. If the list's framing is faulty, the timestamps after the fault are missing.
    package var signedCertificateTimestamps: [[UInt8]] {
        guard let list = signedCertificateTimestampList, list.count >= 2 else { return [] }
        func length(at index: Int) -> Int { Int(list[index]) << 8 | Int(list[index + 1]) }
        guard length(at: 0) == list.count - 2 else { return [] }
        var timestamps: [[UInt8]] = []
        var index = 2
        while list.count - index >= 2 {
            let end = index + 2 + length(at: index)
            guard end > index + 2, end <= list.count else { break }
            timestamps.append(Array(list[index + 2..<end]))
            index = end
        }
        return timestamps
    }

    /// The size of the handshake's evidence, in bytes.
    var evidenceSize: Int {
        var size = signedCertificateTimestampList?.count ?? 0
        if case .given(let der) = staple { size += der.count }
        return size
    }
}
