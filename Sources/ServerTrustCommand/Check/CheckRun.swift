// SPDX-License-Identifier: Apache-2.0

import PinLint

/// A run of a ``CheckPlan`` for many servers, ``width`` of them at a time.
struct CheckRun: Sendable {
    let plan: CheckPlan

    /// The servers that are probed at the same time: enough to hide the latency, few enough for the limit of descriptors.
    static let width = 32

    /// Returns the results in the order of the endpoints.
    func results(for endpoints: [ServerEndpoint]) async throws -> [CheckResult] {
        let progress = ProgressLine()
        return try await withThrowingTaskGroup(of: (Int, CheckResult).self) { group in
            var waiting = endpoints.enumerated().makeIterator()
            func startNext() {
                guard let (index, endpoint) = waiting.next() else { return }
                let plan = plan
                group.addTask { (index, try await plan.check(endpoint)) }
            }
            for _ in 0..<Self.width { startNext() }
            var results: [Int: CheckResult] = [:]
            for try await (index, result) in group {
                results[index] = result
                startNext()
                progress?.show(results.count, of: endpoints.count)
            }
            return endpoints.indices.compactMap { results[$0] }
        }
    }
}
