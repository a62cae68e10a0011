// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import NIOConcurrencyHelpers
import PKIX
import ServerTrustTesting

/// The trusted CAs that scenarios share. They are created when they are first used, and are valid around one date.
///
/// Because scenarios share them, a client needs only one anchor file for all servers in a `Lab`. CAs that clients don't
/// trust aren't shared: each scenario creates its own.
final class SharedAuthorities: Sendable {
    let now: Time
    private let made = NIOLockedValueBox<[String: TestAuthority]>([:])

    init(at now: Time) { self.now = now }

    /// Returns the template, valid from 30 days before the lab's date to 60 days after it.
    func dated(_ template: CertificateTemplate) -> CertificateTemplate {
        template.valid(around: now)
    }

    /// Returns the root with that name. The first call creates the root.
    /// - Parameter key: the key for a new root. Not evaluated if the root exists.
    func root(_ name: String, key: @autoclosure () throws -> TestKey = .p256()) throws -> TestAuthority {
        try made.withLockedValue { made in
            if let root = made[name] { return root }
            let root = try TestAuthority.root(dated(.authority(name)), key: key())
            made[name] = root
            return root
        }
    }

    func rsaRoot() throws -> TestAuthority { try root("Lab RSA Root", key: SharedKeys.rsaRoot.get()) }

    /// Returns the CA below the root that issues most leaves.
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

#endif
