// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import SecurityCompatibility
import ServerTrustTesting
import Testing

/// The certificates of servers as bytes, for scenarios. Dates are relative to `TestAuthority`'s time.
struct TestServers {
    static let now = Date(timeIntervalSince1970: Double(TestAuthority.now.secondsSinceEpoch))

    let root: TestAuthority
    let intermediate: TestAuthority
    let leaf: TestIdentity

    init(_ names: String = "api.example.com") throws {
        self.root = try .root()
        self.intermediate = try root.intermediate()
        self.leaf = try intermediate.issue(.leaf(names))
    }

    /// The leaf and the intermediate.
    var chain: [Data] { intermediate.chain(leaf).map { Data($0.der) } }
    var rootData: Data { Data(root.certificate.der) }
    var leafData: Data { Data(leaf.certificate.der) }
    var intermediateData: Data { Data(intermediate.certificate.der) }

    /// Returns a scenario's trust object, with the root as the only anchor and the tests' date.
    func trust(_ chain: [Data]? = nil, host: String? = "api.example.com", roots: [Data]? = nil) throws -> SecTrust {
        let trust = try #require(TrustScenarios.trust(chain ?? self.chain, host: host))
        try #require(TrustScenarios.setDate(trust, Self.now) == errSecSuccess)
        try #require(TrustScenarios.customAuthority(trust, roots ?? [rootData], only: true) == errSecSuccess)
        return trust
    }
}

extension TrustScenarios.Outcome {
    static let trusted = Self(isTrusted: true, code: nil, result: .unspecified)
    static let excepted = Self(isTrusted: true, code: nil, result: .proceed)

    static func recoverable(_ code: OSStatus) -> Self {
        Self(isTrusted: false, code: Int(code), result: .recoverableTrustFailure)
    }
    static func fatal(_ code: OSStatus) -> Self {
        Self(isTrusted: false, code: Int(code), result: .fatalTrustFailure)
    }
}
