// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import NIOCore
import NIOHTTPCompression

extension HTTPClientResponse {
    /// Names the limit in the body's error if the decoded body exceeds it. The inner client's error doesn't.
    mutating func name(_ decompression: HTTPClient.Decompression, url: String) {
        guard case .enabled(let limit) = decompression, headers.contains(name: "content-encoding") else { return }
        readBody { body in
            do { return try await body.next() } catch NIOHTTPDecompression.DecompressionError.limit {
                // The limit is a private member, for example `ratio(20)`.
                let value = Mirror(reflecting: limit).children.first.map { "\($0.value)" } ?? "\(limit)"
                throw TrustedHTTPError(.decompressionLimitExceeded, url: url, detail: "the limit is \(value)")
            }
        }
    }
}

#endif
