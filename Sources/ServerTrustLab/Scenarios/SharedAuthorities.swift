// SPDX-License-Identifier: Apache-2.0

import NIOConcurrencyHelpers
import PKIX
import ServerTrustTesting

/// The CAs that scenarios share: made when they are first asked for, valid around one date.
///
/// One client can so be told of all servers of a ``Lab`` with one file of anchors. CAs that nobody is to trust are not here:
/// each scenario makes its own.
final class LabRoots: Sendable {
    let now: Time
    private let made = NIOLockedValueBox<[String: TestAuthority]>([:])

    init(at now: Time) { self.now = now }

    /// Valid from 30 days before the lab's date to 60 days after it.
    func dated(_ template: CertificateTemplate) -> CertificateTemplate {
        template.valid(around: now)
    }

    /// The root of that name.
    /// - Parameter key: for the first one who asks.
    func root(_ name: String, key: @autoclosure () throws -> TestKey = .p256()) throws -> TestAuthority {
        try made.withLockedValue { made in
            if let root = made[name] { return root }
            let root = try TestAuthority.root(dated(.authority(name)), key: key())
            made[name] = root
            return root
        }
    }

    func rsaRoot() throws -> TestAuthority { try root("Lab RSA Root", key: LabKeys.rsaRoot.get()) }

    /// The CA below the root that most leaves come from.
    func intermediate() throws -> TestAuthority {
        let root = try root("Lab Root")
        return try made.withLockedValue { made in
            if let intermediate = made["Lab CA"] { return intermediate }
            let intermediate = try root.intermediate(dated(.authority("Lab CA")))
            made["Lab CA"] = intermediate
            return intermediate
        }
    }
}
