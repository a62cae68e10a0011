// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Foundation
import ServerTrust

/// The encoding of OCSP requests in URLs.
package enum OCSPPath {
    /// Decodes the part of a path after the responder's own path: URL-encoded base64 (RFC 6960 Appendix A.1.1). Accepts
    /// unencoded slashes, which some clients send.
    /// - Returns: the request. Empty if the string isn't base64.
    package static func decode(_ rest: some StringProtocol) -> [UInt8] {
        guard let text = rest.drop(while: { $0 == "/" }).removingPercentEncoding else { return [] }
        return Data(base64Encoded: text).map { Array($0) } ?? []
    }
}

extension TrustFetchRequest {
    /// Returns the OCSP request: the body of a POST, or the decoded URL of a GET.
    func ocspRequest(below url: String) -> [UInt8] { body ?? OCSPPath.decode(self.url.dropFirst(url.count)) }
}

#endif
