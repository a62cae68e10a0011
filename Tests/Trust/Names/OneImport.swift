// SPDX-License-Identifier: Apache-2.0

// The README's example: one import.

import ServerTrustHTTP

func readme() async throws {
    let manager = try ServerTrustManager(evaluators: [
        "api.example.com": SPKIPinsTrustEvaluator(
            pins: ["sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="],
            backup: ["sha256/iie1VXtL7HzAMF+/PVPR9xzT80kQxdZeJ+zduCB3uj0="]),
        "*.cdn.example.com": DefaultTrustEvaluator(),
    ])
    let client = try TrustedHTTPClient(trust: ServerTrustConfiguration(manager))
    let request = HTTPClientRequest(url: "https://api.example.com/")
    do {
        let response: HTTPClientResponse = try await client.execute(request, timeout: .seconds(10))
        _ = try await response.body.collect(upTo: 1 << 20)
    } catch let refusal as TrustRefusal {
        _ = refusal.verdict.path.first?.notAfter
    }
}
