// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The timestamps of a leaf, each verified with its log's key.
///
/// The number of signatures is limited, because a list contains at most ``PKIX/TimestampList/maximumCount`` timestamps.
struct TimestampEvidence {
    /// A timestamp with its log and the result of its signature check.
    struct Item {
        let timestamp: SignedCertificateTimestamp
        let origin: SignedCertificateTimestamp.Origin
        /// The log, or nil if it isn't on the list.
        let log: CTLogList.Log?
        let isValid: Bool
    }

    let items: [Item]

    /// Verifies timestamps.
    /// - Parameters:
    ///   - leaf: the certificate of the timestamps.
    ///   - issuer: the leaf's issuer on the path.
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
    /// Whether the timestamp's date, in milliseconds, is later than a time.
    func isLater(than time: Time) -> Bool {
        guard time.secondsSinceEpoch >= 0 else { return true }
        let (limit, isBeyond) = UInt64(time.secondsSinceEpoch).multipliedReportingOverflow(by: 1000)
        return !isBeyond && milliseconds > limit
    }
}
