// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust
import ServerTrustFetching

/// How OCSP requests stand in addresses.
package enum OCSPPath {
    /// What a path has behind the responder's own: base64, URL-encoded (RFC 6960 Appendix A.1.1). Some clients leave the slashes in
    /// it as they are.
    /// - Returns: empty if it is none.
    package static func decode(_ rest: some StringProtocol) -> [UInt8] {
        guard let text = rest.drop(while: { $0 == "/" }).removingPercentEncoding else { return [] }
        return Data(base64Encoded: text).map { Array($0) } ?? []
    }
}

extension TrustFetchRequest {
    /// The OCSP request, with POST in the body, with GET in the address.
    func ocspRequest(below url: String) -> [UInt8] { body ?? OCSPPath.decode(self.url.dropFirst(url.count)) }
}
