// SPDX-License-Identifier: Apache-2.0

// App code that uses the bridge. It compiles only if the module contains the code in `#if canImport(Darwin)`.
import Foundation
import PKIX
import Security
import ServerTrust

func answer(_ secTrust: SecTrust, _ host: Hostname, _ manager: ServerTrustManager) throws {
    let bySystem: TrustVerdict = manager.evaluate(secTrust, host: host)
    let byEngine: TrustVerdict = manager.evaluate(secTrust, host: host, using: .own)
    guard bySystem.isTrusted, byEngine.isTrusted else { return }
    try manager.requireTrust(secTrust, host: host)
    try manager.requireTrust(secTrust, host: host, using: .own)

    let pins = try PinnedCertificatesTrustEvaluator(certificates: Bundle.main.certificates(inDirectory: "Pins"))
    _ = pins.evaluate(secTrust, host: host)
    try pins.requireTrust(secTrust, host: host, using: TrustEngine.own)

    var trust = Trust(secTrust, host: host, using: .system)
    trust.verifyDate = .now
    trust.revocation = .required
    _ = trust.evaluate()
    Task.detached { [trust] in _ = trust.evaluate() }
}
