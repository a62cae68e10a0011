// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The timestamps of a leaf, each verified with the key of its log.
///
/// The number of signatures is bounded, as lists are read up to ``PKIX/TimestampList/maximumCount``.
struct TimestampEvidence {
    /// A timestamp with its log and the outcome of its signature.
    struct Item {
        let timestamp: SignedCertificateTimestamp
        let origin: SignedCertificateTimestamp.Origin
        /// nil for a log that isn't on the list.
        let log: CTLogList.Log?
        let isValid: Bool
    }

    let items: [Item]

    /// Verifies timestamps.
    /// - Parameters:
    ///   - leaf: the certificate that they are about.
    ///   - issuer: its issuer on the path.
    ///   - lists: the lists, the embedded one first.
    init(
        of leaf: Certificate, issuer: Certificate, lists: [(SignedCertificateTimestamp.Origin, TimestampList)],
        logs: CTLogList
    ) {
        let issuerKey = issuer.subjectPublicKeyInfoSHA256
        var items: [Item] = []
        for (origin, list) in lists {
            for timestamp in list.timestamps {
                let log = logs.logs[timestamp.logID]
                var isValid = false
                if let log {
                    isValid = log.key.isValid(
                        timestamp,
                        for: origin == .embedded
                            ? .precertificate(of: leaf, issuerKeySHA256: issuerKey) : .certificate(leaf))
                }
                items.append(Item(timestamp: timestamp, origin: origin, log: log, isValid: isValid))
            }
        }
        self.items = items
    }
}

extension SignedCertificateTimestamp {
    /// Whether the date is later, in milliseconds.
    func isLater(than time: Time) -> Bool {
        guard time.secondsSinceEpoch >= 0 else { return true }
        let (limit, isBeyond) = UInt64(time.secondsSinceEpoch).multipliedReportingOverflow(by: 1000)
        return !isBeyond && milliseconds > limit
    }
}
