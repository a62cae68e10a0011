// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Foundation
import PKIX
import ServerTrust

/// The row for one file of `--input der-dir`.
enum ChainFile {
    /// Returns the chain in a file. DER and PEM keep the order of the file. PKCS #7 has no order: its only certificate
    /// that isn't a CA certificate comes first, and all certificates must be readable.
    /// - Parameter maximumSize: the maximum size of the file in bytes.
    static func row(_ path: String, maximumSize: Int) -> BatchRow {
        var row = BatchRow(id: path)
        switch bytes(path, maximumSize) {
        case .failure(let problem): row.failures = [unreadable(problem.text)]
        case .success(let bytes):
            if let problem = ChainText.lostCertificate(in: bytes) {
                row.failures = [unreadable(problem)]
                return row
            }
            read(InspectionReader.read(bytes, name: path), into: &row)
        }
        return row
    }

    /// The maximum number of certificates that a row reports as left out, because an answer has at most as many
    /// warnings.
    private static let maximumWarnings = 20

    private static func read(_ file: InspectedFile, into row: inout BatchRow) {
        var certificates: [Certificate] = []
        let entries = file.certificates(for: .candidate)
        guard entries.count <= ChainText.maximumCount else {
            let problem = "more than the \(ChainText.maximumCount) certificates that a row may have"
            return row.failures = [unreadable(problem)]
        }
        for (index, entry) in entries.enumerated() {
            switch entry {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                // In a file without an order, it may be the leaf.
                guard index > 0, !file.isUnordered else {
                    return row.failures = [unreadable(error.problem.description)]
                }
                // As in a handshake, an unreadable certificate other than the leaf is left out.
                guard row.warnings.count < maximumWarnings else { continue }
                row.warnings.append("chain[\(index)] left out: \(error.problem)")
            }
        }
        if file.isUnordered, certificates.count > 1 {
            guard let leaf = CertificateInput.onlyLeaf(of: certificates) else {
                return row.failures = [
                    unreadable(
                        "the file's order has no meaning, and it doesn't contain exactly one certificate that isn't a CA's"
                    )
                ]
            }
            certificates.insert(certificates.remove(at: leaf), at: 0)
        }
        row.chain = certificates.map { .der($0.der) }
        if row.chain.isEmpty { row.failures = [unreadable("no certificate")] }
    }

    private struct Problem: Error { let text: String }

    private static func bytes(_ path: String, _ maximumSize: Int) -> Result<[UInt8], Problem> {
        do throws(SystemError) {
            // With O_NONBLOCK, opening a pipe doesn't wait for its writer.
            let file = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK)
            defer { try? file.close() }
            guard try file.status().isRegularFile else { return .failure(Problem(text: "isn't a regular file")) }
            let bytes = try file.readAll(maximumSize: maximumSize)
            guard bytes.count <= maximumSize else { return .failure(Problem(text: "larger than \(maximumSize) bytes")) }
            return .success(bytes)
        } catch {
            return .failure(Problem(text: error.description))
        }
    }

    private static func unreadable(_ problem: String) -> TrustFailure {
        TrustFailure(.certificateMalformed, certificate: 0, role: .leaf, found: .text(problem))
    }
}
