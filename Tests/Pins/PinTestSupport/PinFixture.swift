// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins
import ServerTrustTesting

/// A root, a CA and a leaf for many names, and files with placeholders for their pins.
package struct PinFixture {
    private static let made = Result { try PinFixture() }
    package static func shared() throws -> PinFixture { try made.get() }

    package let root: TestAuthority
    package let authority: TestAuthority
    package let leaf: Certificate
    /// Another CA, whose pins match nothing.
    package let other: Certificate
    package let another: Certificate
    package let otherRoot: TestAuthority

    package static let names = [
        "example.com", "a.example.com", "b.a.example.com", "c.b.a.example.com", "notexample.com", "example.org",
        "a.example.org", "xn--bcher-kva.example",
    ]

    private init() throws {
        root = try .root(.authority("Pin Root"))
        let root = root
        authority = try Self.plain { try root.intermediate(.authority("Pin CA")) }
        leaf = try authority.issue(.leaf("192.0.2.1").with { $0.dnsNames = Self.names }).certificate
        otherRoot = try Self.plain { try .root(.authority("Other Root")) }
        other = otherRoot.certificate
        another = try TestAuthority.root(.authority("Another Root")).certificate
    }

    /// Repeats `make` until the pin doesn't begin with a slash, which would look like an extra one in some rows.
    private static func plain(_ make: () throws -> TestAuthority) throws -> TestAuthority {
        while true {
            let made = try make()
            guard Base64.encode(SPKIPin(made.certificate).sha256).hasPrefix("/") else { return made }
        }
    }

    package var chain: [Certificate] { [leaf, authority.certificate] }

    /// Replaces `{LEAF}`, `{CA}`, `{ROOT}`, `{OTHER}` and `{ANOTHER}` with the base64 of pins, or of certificates with
    /// `DER` after the name.
    package func filled(_ text: String) -> String {
        var text = text
        let certificates = [
            ("LEAF", leaf), ("CA", authority.certificate), ("ROOT", root.certificate), ("OTHER", other),
            ("ANOTHER", another),
        ]
        for (name, certificate) in certificates {
            text = text.replacing("{\(name)}", with: Base64.encode(SPKIPin(certificate).sha256))
            text = text.replacing("{\(name)DER}", with: Base64.encode(certificate.der))
        }
        return text
    }

    /// Returns the verdict on a connection.
    package func outcome(
        _ configuration: PinConfiguration, host: String, at time: Time = TestAuthority.now,
        isBeingDebugged: Bool = false
    ) throws -> PinOutcome {
        let (root, other) = (root.certificate, other)
        var trust = try configuration.serverTrustConfiguration(
            PinEnforcement(isBeingDebugged: isBeingDebugged) { name in
                name == "raw/root" ? [root] : name == "raw/other" ? [other] : nil
            })
        // If the file leaves the choice of anchors to the system, the test uses the fixture's root.
        if configuration.anchors.isEmpty { trust.anchors = .only([root]) }
        trust.verifyDate = .at(time)
        let verdict = trust.evaluateWithoutFetching(PresentedChain(chain), host: try Hostname(host))
        guard verdict.isTrusted else { return .refused(verdict.failures.map(\.code)) }
        if !verdict.reported.isEmpty { return .reported }
        return verdict.matchedPin.map { .pinned($0.certificate) } ?? .unpinned
    }
}

package enum PinOutcome: Hashable {
    /// Accepted, and this certificate in the path matched a pin.
    case pinned(Int)
    /// Accepted without a pin.
    case unpinned
    /// Accepted, with a report of the missing pin.
    case reported
    case refused([TrustFailure.Code])

    package static let missed = PinOutcome.refused([.pinNotMatched])
}
