// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP

let roots = try CertificateFile.certificates(contentsOfFile: "lab/roots.pem")
let manager = try ServerTrustManager(evaluators: [
    "api.lab.test": CertificateAuthorityTrustEvaluator(onlyAnchors: roots)
])
let trust = ServerTrustConfiguration(manager)  // all other hosts are refused

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
