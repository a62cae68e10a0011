// SPDX-License-Identifier: Apache-2.0

import ServerTrustHTTP

let trust = ServerTrustConfiguration.publicWeb  // the roots of this machine

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
