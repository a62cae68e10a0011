// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP

let roots = try CertificateFile.certificates(contentsOfFile: "lab/roots.pem")
let manager = try ServerTrustManager(evaluators: [
    "api.lab.test": CompositeTrustEvaluator(evaluators: [
        CertificateAuthorityTrustEvaluator(onlyAnchors: roots),
        SPKIPinsTrustEvaluator(
            pins: ["sha256/sETG7ni7AAIslF5zyPuT/07WpM/+O+Kb1E2EOyklars="],
            backup: ["sha256/XAx3H42FqwJlD3Gxtm6QgOK48Hzi/ZhOHY3/hxdCxb0="],
            scope: .leaf),
    ])
])
let trust = ServerTrustConfiguration(manager)  // all other hosts are refused

/// Prints a warning when a server has the key of a backup pin.
struct BackupWatch: TrustEventObserver {
    func observe(_ event: TrustEvent) {
        if case .pinMatchedByBackup(let pin, _) = event { print("backup in use:", pin.pin) }
    }
}
manager.events.add(BackupWatch())

var configuration = TrustedHTTPConfiguration()
configuration.dnsOverride["api.lab.test"] = "127.0.0.1"  // the lab isn't in DNS
let client = try TrustedHTTPClient(trust: trust, configuration: configuration)
let url = CommandLine.arguments.dropFirst().first ?? "https://api.lab.test:8440/"
do {
    let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
    print("status", response.status.code)
} catch let refusal as TrustRefusal {
    print("refused:", refusal.headline.code)
    print(refusal)
}
await client.shutdown()
