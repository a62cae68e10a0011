// SPDX-License-Identifier: Apache-2.0

import CostlyChains
import Foundation

/// Prints the processor time and the output of evaluating costly chains, without the fuzzer's instrumentation.
///
///     CostTable                   the chains that were once too expensive
///     CostTable FILE…             inputs of FuzzCost, such as its findings
///     CostTable --seeds FOLDER    writes the first as inputs of FuzzCost
///     CostTable --batch           writes the first as lines for `servertrust verify --batch`
///
/// Exit status: 1 if a chain exceeds the limits.
@main
enum CostTable {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--seeds", arguments.count == 2 {
            for (index, known) in KnownCost.all.enumerated() {
                let number = index < 9 ? "0\(index + 1)" : "\(index + 1)"
                try Data(known.plan.bytes).write(to: URL(filePath: arguments[1]).appending(path: "known-\(number)"))
            }
            return
        }
        if arguments == ["--batch"] {
            for (index, known) in KnownCost.all.enumerated() { print(batchLine(CostlyChain(known.plan), index + 1)) }
            return
        }
        var rows = KnownCost.all.map { ($0.name, $0.plan) }
        if !arguments.isEmpty {
            arguments.removeAll { $0.hasPrefix("-") }
            rows = try arguments.map { ($0, CostPlan([UInt8](try Data(contentsOf: URL(filePath: $0))))) }
        }
        var isTooHigh = false
        print("     ms   output      input  certificates")
        for (name, plan) in rows {
            let chain = CostlyChain(plan)
            let cost = Cost.measure(chain)
            isTooHigh = isTooHigh || cost.isTooHigh
            let time = String(format: "%7.1f", cost.milliseconds)
            print(
                "\(time) \(padded(cost.output)) \(padded(chain.size)) \(padded(chain.certificates.count))  \(name): \(cost.outcome)"
                    + (cost.isTooHigh ? "  OVER" : ""))
        }
        if isTooHigh { exit(1) }
    }

    private static func batchLine(_ chain: CostlyChain, _ number: Int) -> String {
        let list = { (certificates: [[UInt8]]) in
            certificates.map { "\"" + Data($0).base64EncodedString() + "\"" }.joined(separator: ",")
        }
        let options = chain.plan.options
        return "{\"id\":\"\(number)\"" + (options.contains(.host) ? ",\"host\":\"nowhere.example\"" : "")
            + ",\"strict\":\(options.contains(.strict)),\"time\":\"2026-11-21T00:00:00Z\""
            + (options.contains(.explicitPolicy) ? ",\"policies\":{\"requireExplicit\":true}" : "")
            + ",\"chain\":[\(list(chain.certificates))],\"anchors\":[\(list([CostlyChain.anchor]))]}"
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, 9 - digits.count)) + digits
    }
}
