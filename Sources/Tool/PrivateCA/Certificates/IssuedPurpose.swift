// SPDX-License-Identifier: Apache-2.0

/// The purpose of an issued certificate.
package enum IssuedPurpose: String, Sendable, Hashable, Codable {
    /// A server certificate.
    case serverAuth
    /// A client certificate.
    case clientAuth
}
