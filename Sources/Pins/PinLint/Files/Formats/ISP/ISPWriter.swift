// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustPins

/// Writes ISPCertificatePinning's dictionary of whole certificates. Leaves out rules that contain only keys.
enum ISPWriter {
    /// Returns the dictionary, or nil without certificates.
    static func tree(_ configuration: PinConfiguration) -> PinTree? {
        var domains: [(key: String, comment: String?, value: PinTree)] = []
        for row in PinProjection(configuration).rows {
            guard let rule = row.itself, rule.mode == .enforced else { continue }
            var seen: Set<Certificate> = []
            let certificates = rule.pins.compactMap { pin -> (comment: String?, value: PinTree)? in
                guard case .certificate(let certificate) = pin.value, seen.insert(certificate).inserted else {
                    return nil
                }
                return (pin.comment, .data(certificate.der))
            }
            if !certificates.isEmpty { domains.append((row.name.description, rule.comment, .array(certificates))) }
        }
        return domains.isEmpty ? nil : .dictionary(domains)
    }
}
