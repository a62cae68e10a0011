// SPDX-License-Identifier: Apache-2.0

// The README's example, and a manager with a rule for each host, with only one import.

import ServerTrustHTTP

func readme() async throws {
    let trust = try ServerTrustConfiguration.pinned(
        ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],
        backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="],
        for: ["api.example.com"])
    let client = try TrustedHTTPClient(trust: trust)
    let request = HTTPClientRequest(url: "https://api.example.com/")
    do {
        let response: HTTPClientResponse = try await client.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
    } catch let refusal as TrustRefusal {
        _ = refusal.verdict.path.first?.notAfter
    }
}

func rules() throws -> TrustedHTTPClient {
    let manager = try ServerTrustManager(evaluators: [
        "api.example.com": SPKIPinsTrustEvaluator(
            pins: ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],
            backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="]),
        "*.cdn.example.com": DefaultTrustEvaluator(),
    ])
    return try TrustedHTTPClient(trust: ServerTrustConfiguration(manager))
}

func presets() throws -> [TrustedHTTPClient] {
    [try TrustedHTTPClient(trust: .publicWeb), try TrustedHTTPClient(trust: .publicWeb(revocation: .required))]
}
