// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates of a report, each once, and their indices.
struct CertificateTable {
    /// The certificates in the order of their indices.
    private(set) var certificates: [Certificate] = []
    private var indices: [Certificate: Int] = [:]

    /// The maximum number of certificates in a report. A usual one has three.
    static let maximumCount = 96
    /// The bytes for the fields of all certificates together.
    static let size = 640 << 10

    /// Returns the indices of certificates, which are added; nil, and nothing is added, if they don't fit.
    mutating func indices(of chain: [Certificate]) -> [Int]? {
        let new = Set(chain).filter { indices[$0] == nil }.count
        guard certificates.count + new <= Self.maximumCount else { return nil }
        return chain.map { certificate in
            if let index = indices[certificate] { return index }
            indices[certificate] = certificates.count
            certificates.append(certificate)
            return certificates.count - 1
        }
    }
}
