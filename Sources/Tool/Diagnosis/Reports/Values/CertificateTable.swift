// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The certificates of a report with their indices. Each certificate appears once.
struct CertificateTable {
    /// The certificates in the order of their indices.
    private(set) var certificates: [Certificate] = []
    private var indices: [Certificate: Int] = [:]

    /// The maximum number of certificates in a report. A typical report contains three.
    static let maximumCount = 96
    /// The maximum size of the fields of all certificates together, in bytes.
    static let size = 640 << 10

    /// Adds the certificates and returns their indices. If they don't fit, it adds no certificate and returns nil.
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
