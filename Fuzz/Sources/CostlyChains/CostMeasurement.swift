// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The cost of one evaluation.
public struct Cost: Sendable {
    /// The processor time of parsing and evaluating, in milliseconds: the smallest of the measurements.
    public var milliseconds: Double
    /// The number of bytes written: the verdict as text, or as JSON without its certificates, whichever is longer.
    public var output: Int
    /// The first failure's code, or "trusted".
    public var outcome: String
}

extension Cost {
    /// The time limit of Documentation/Development.md, for a megabyte of certificates.
    ///
    /// COST_LIMIT in the environment replaces the 50 ms, for a gate that must not depend on the machine.
    public static let maximumMilliseconds =
        ProcessInfo.processInfo.environment["COST_LIMIT"].flatMap(Double.init) ?? 50
    public static let maximumOutput = 64 << 10

    public var isTooHigh: Bool { milliseconds > Self.maximumMilliseconds || output > Self.maximumOutput }

    /// Parses and evaluates a chain.
    ///
    /// - Parameters:
    ///   - chain: the chain. Its anchor is fixed and parsed beforehand.
    ///   - attempts: the largest number of measurements. Measuring stops after the first one within the limit, because
    ///     only a time over the limit can be caused by the machine instead of the chain.
    public static func measure(_ chain: CostlyChain, attempts: Int = 5) -> Cost {
        guard let anchor else { preconditionFailure("the anchor of costly chains can't be read") }
        var cost = Cost(milliseconds: .infinity, output: 0, outcome: "")
        for attempt in 0..<attempts {
            let start = processorMilliseconds()
            let verdict = evaluate(chain, anchor)
            cost.milliseconds = min(cost.milliseconds, processorMilliseconds() - start)
            if attempt == 0 {
                cost.output = verdict.map(output) ?? 0
                cost.outcome = verdict.map { $0.headline?.code.name ?? "trusted" } ?? "unreadable"
            }
            if cost.milliseconds <= maximumMilliseconds { break }
        }
        return cost
    }

    private static let anchor = try? Certificate(der: CostlyChain.anchor)
    private static let host = try? Hostname("nowhere.example")

    /// Returns nil if the leaf can't be parsed.
    private static func evaluate(_ chain: CostlyChain, _ anchor: Certificate) -> TrustVerdict? {
        let certificates = chain.certificates.map { try? Certificate(der: $0) }
        guard let leaf = certificates[0], let host else { return nil }
        let options = chain.plan.options
        let presented = [leaf] + certificates.dropFirst().compactMap { $0 }
        var trust =
            options.contains(.host)
            ? Trust(presentedChain: presented, host: host)
            : Trust(insecurelyWithoutHost: PresentedChain(presented))
        trust.anchors = .only([anchor])
        trust.verifyDate = .at(Time(secondsSinceEpoch: 1_795_000_000))
        trust.signatureMemory = nil
        trust.policy = ValidationPolicy(
            profile: options.contains(.plain) ? .rfc5280 : .webPKI, isStrict: options.contains(.strict),
            certificatePolicies: .init(requireExplicit: options.contains(.explicitPolicy)))
        return trust.evaluate()
    }

    private static func output(of verdict: TrustVerdict) -> Int {
        guard let json = try? JSONEncoder().encode(verdict) else {
            preconditionFailure("a verdict that can't be written")
        }
        // Each certificate of a path occurs once, in base64.
        let certificates = Set(verdict.path + verdict.rejectedPaths.flatMap(\.certificates))
        let base64 = certificates.reduce(0) { $0 + ($1.der.count + 2) / 3 * 4 }
        return max(verdict.description.utf8.count, escaped(json) - base64)
    }

    /// Returns the size of the JSON without Foundation's escapes of slashes, which don't count as this package's
    /// output.
    private static func escaped(_ json: Data) -> Int {
        var count = json.count
        for index in json.indices.dropFirst() where json[index] == 0x2f && json[index - 1] == 0x5c { count -= 1 }
        return count
    }

    private static func processorMilliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
