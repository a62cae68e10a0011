// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

// Leaves that a client has to refuse for reasons other than their names.

extension LabScenario {
    /// A leaf that expired a day before the scenario's date.
    public static let expired = LabScenario("expired", "expired yesterday", .refused(.certificateExpired)) { lab in
        try lab.below { $0.notAfter = lab.now.advanced(by: -86_400) }
    }

    /// A leaf that is valid from the day after the scenario's date.
    static let notYetValid = LabScenario(
        "not-yet-valid", "valid from tomorrow", .refused(.certificateNotYetValid)
    ) { lab in
        try lab.below { $0.notBefore = lab.now.advanced(by: 86_400) }
    }

    /// A leaf whose only extended key usage is clientAuth.
    static let wrongExtendedKeyUsage = LabScenario(
        "wrong-extended-key-usage", "a certificate for clients", .refused(.extendedKeyUsageNotAllowed)
    ) { lab in
        try lab.below { $0.extendedKeyUsage = [.clientAuth] }
    }

    /// A leaf signed with SHA-1. Servers with BoringSSL can send it. OpenSSL refuses it at security level 2.
    static let sha1 = LabScenario("sha-1", "signed with SHA-1", .refused(.signatureUsesSHA1)) { lab in
        let root = try lab.authorities.rsaRoot()
        let leaf = try root.issue(lab.leaf { $0.signsWithSHA1 = true })
        return try lab.certificates(leaf, [], anchors: [root.certificate])
    }

    /// A leaf with a 1024-bit RSA key. Servers with BoringSSL can send it. OpenSSL refuses it at security level 2.
    static let rsa1024 = LabScenario("rsa-1024", "an RSA key of 1024 bits", .refused(.rsaKeyTooSmall)) { lab in
        try lab.below(key: SharedKeys.rsa1024.get()) { $0.keyUsage = [.digitalSignature, .keyEncipherment] }
    }
}

#endif
