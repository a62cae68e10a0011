// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import ServerTrustNIO

extension CheckPlan {
    /// The maximum number of addresses to check for a host. Large sites have a dozen.
    static let maximumAddresses = 32

    /// Probes all addresses of an endpoint at the same time.
    func checkNodes(_ endpoint: ServerEndpoint) async throws -> CheckResult {
        let addresses: [String]
        do throws(ConnectionFailure) {
            addresses = try await TrustProbe.addresses(of: endpoint.host, within: connection.timeout)
        } catch {
            return CheckResult(endpoint: endpoint, steps: [CheckStep(endpoint: endpoint, outcome: .failure(error))])
        }
        let steps = try await withThrowingTaskGroup(of: (Int, CheckStep).self) { group in
            for (index, address) in addresses.prefix(Self.maximumAddresses).enumerated() {
                group.addTask {
                    var plan = self
                    plan.connection.address.host = address
                    var step = try await plan.probe(endpoint, isNamed: true)
                    step.node = address
                    return (index, step)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return CheckResult(
            endpoint: endpoint, steps: steps, uncheckedAddresses: max(0, addresses.count - Self.maximumAddresses))
    }
}

/// A comparison of the results for a host's addresses.
struct NodeComparison {
    /// The properties to compare.
    private struct Traits: Hashable {
        let leaf: [UInt8]?
        let code: String?
        let tlsVersion: String?
    }

    /// A sentence for each address that differs from the majority, or a single one if they are all the same. Empty if
    /// there is only one address.
    let sentences: [String]
    /// Whether an address differs.
    let differs: Bool

    init(_ result: CheckResult) {
        let rest = result.uncheckedAddresses
        let omitted = rest > 0 ? ["\(rest) more addresses were not checked"] : []
        let nodes = result.steps.compactMap { step in step.node.map { ($0, step, Self.traits(step)) } }
        guard nodes.count > 1 else {
            sentences = []
            differs = false
            return
        }
        var counts: [Traits: Int] = [:]
        for (_, _, traits) in nodes { counts[traits, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        // If several groups are equally large, the first one in the resolver's order counts.
        guard let usual = nodes.first(where: { counts[$0.2] == most })?.2, counts.count > 1 else {
            sentences = ["all \(nodes.count) addresses present the same certificate, with the same result"] + omitted
            differs = false
            return
        }
        differs = true
        sentences =
            nodes.filter { $0.2 != usual }.map { address, step, traits in
                "\(address) differs from \(most) of \(nodes.count) addresses: \(Self.differences(traits, usual, step))"
            } + omitted
    }

    private static func traits(_ step: CheckStep) -> Traits {
        Traits(leaf: step.report?.presentedChain.leaf?.sha256, code: step.code, tlsVersion: step.report?.tlsVersion)
    }

    private static func differences(_ traits: Traits, _ usual: Traits, _ step: CheckStep) -> String {
        var parts: [String] = []
        if traits.code != usual.code {
            parts.append(
                traits.code.map { "it fails with \($0)" }
                    ?? "it is trusted, but the others fail with \(usual.code ?? "nothing")")
        }
        if traits.leaf != usual.leaf {
            let leaf = step.report?.presentedChain.leaf
            parts.append(
                leaf.map { "another certificate, valid from \($0.notBefore) until \($0.notAfter)" } ?? "no certificate")
        }
        // The version is unknown if the server was rejected.
        if let version = traits.tlsVersion, let other = usual.tlsVersion, version != other {
            parts.append("\(version) instead of \(other)")
        }
        return parts.isEmpty ? "another TLS version" : parts.joined(separator: ", ")
    }
}
