// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Reads OpenSSL's `TRUSTED CERTIFICATE` blocks: a certificate, followed by lists of its trusted
/// and rejected purposes (`X509_CERT_AUX`).
///
/// Rejected purposes override trusted ones. Without a list of trusted purposes, the certificate is trusted for all
/// purposes that aren't rejected, as in OpenSSL. No path for a rejected purpose may contain the certificate. A list of
/// such blocks isn't complete: it says nothing about other certificates.
enum TrustedCertificateListReader {
    /// Whether a text has such a block.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        PEM.blocks(in: bytes).contains { block in
            if case .success(let block) = block { block.label == "TRUSTED CERTIFICATE" } else { false }
        }
    }

    /// Reads a list.
    /// - Throws: ``RootListError`` with the number of the first invalid block.
    static func read(_ bytes: [UInt8], date: Time?) throws(RootListError) -> RootList {
        var list = RootList(program: "OpenSSL's trusted certificates", date: date, isComplete: false)
        for (index, result) in PEM.blocks(in: bytes).enumerated() {
            let block: PEM.Block
            do throws(PEM.BlockError) { block = try result.get() } catch {
                throw RootListError(line: nil, "object \(index + 1): \(error)")
            }
            guard block.label == "TRUSTED CERTIFICATE" else { continue }
            try add(block.der, object: index + 1, to: &list)
        }
        return list
    }

    private static func add(_ der: [UInt8], object: Int, to list: inout RootList) throws(RootListError) {
        do throws(DERError) {
            let (certificate, settings) = try TrustedCertificateSettings.parse(der)
            var constraints = AnchorConstraints()
            if let purposes = settings?.purposes, purposes.count < ValidationPolicy.Purpose.allCases.count {
                constraints.purposes = purposes
            }
            list.add(certificate, RootList.Entry(label: certificate.description, alternatives: [constraints]))
            list.distrust(certificate, for: settings?.rejectedPurposes ?? [])
        } catch {
            throw RootListError(line: nil, "object \(object): \(error)")
        }
    }
}
