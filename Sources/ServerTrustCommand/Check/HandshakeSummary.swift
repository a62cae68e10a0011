// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The evidence of a handshake beside the certificates, as the server sent it. Not checked: signatures; the verdict is about those.
struct HandshakeSummary: Encodable {
    /// An OCSP response of the handshake.
    struct Staple: Encodable {
        /// `good`, `revoked` or `unknown` as the response says about the leaf; the name of the responder's error; `malformed`; or
        /// `otherCertificate`.
        let status: String
        let thisUpdate: String?
        let nextUpdate: String?
        /// From `thisUpdate` to the verify date; negative for a response that is dated into the future.
        let ageSeconds: Int64?
    }

    /// nil if none came.
    let staple: Staple?
    /// The number of signed certificate timestamps outside of the certificate.
    let timestamps: Int

    /// nil if the handshake wasn't read.
    init?(_ chain: PresentedChain, at time: Time) {
        timestamps = chain.signedCertificateTimestamps.count
        switch chain.staple {
        case .unknown: return nil
        case .none: staple = nil
        case .given(let der): staple = Staple(der, leaf: chain.leaf, at: time)
        }
    }

    /// Returns the lines of a report for people; none for a server that sent nothing and whose leaf demands nothing.
    func lines(leaf: Certificate?) -> [String] {
        var lines: [String] = []
        if let staple {
            let details = [
                staple.ageSeconds.map { "\(Self.age($0)) old" }, staple.nextUpdate.map { "until \($0)" },
            ].compactMap { $0 }
            lines.append(([staple.status] + details).joined(separator: ", "))
        } else if leaf?.requiresStaple == true {
            lines.append("none, and the certificate demands one")
        }
        lines = lines.map { "  OCSP staple".padded(to: 17) + $0 }
        if timestamps > 0 { lines.append("  timestamps".padded(to: 17) + "\(timestamps) in the handshake") }
        return lines
    }

    private static func age(_ seconds: Int64) -> String {
        switch abs(seconds) {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}

extension HandshakeSummary.Staple {
    fileprivate init(_ der: [UInt8], leaf: Certificate?, at time: Time) {
        guard let response = try? OCSPResponse(der: der) else {
            self.init(status: "malformed", thisUpdate: nil, nextUpdate: nil, ageSeconds: nil)
            return
        }
        guard response.status == .successful else {
            self.init(status: "\(response.status)", thisUpdate: nil, nextUpdate: nil, ageSeconds: nil)
            return
        }
        let single = response.responses.first { $0.serialNumber == leaf?.serialNumber }
        let status =
            switch single?.status {
            case .good: "good"
            case .revoked: "revoked"
            case .unknown: "unknown"
            case nil: "otherCertificate"
            }
        self.init(
            status: status, thisUpdate: single?.thisUpdate.description, nextUpdate: single?.nextUpdate?.description,
            ageSeconds: single.map { time.secondsSinceEpoch - $0.thisUpdate.secondsSinceEpoch })
    }
}
