// SPDX-License-Identifier: Apache-2.0

/// Plants a fault of each kind, and expects findings of that kind. Some faults cause other findings, too.
enum SelfTest {
    /// - Returns: whether every fault was found.
    static func run() throws -> Bool {
        var isGood = true
        for fault in PlantedFault.allCases {
            var options = Options()
            options.seed = 58
            options.count = [.hang, .crash].contains(fault) ? 10 : fault == .memory ? 650 : 40
            options.only = fault.client
            options.fault = fault
            var parent = Parent(options) { _ in }
            try parent.run()
            let found = parent.tally.findings[fault.rawValue, default: []].count
            let others = parent.tally.findings.filter { $0.key != fault.rawValue }.mapValues(\.count)
            isGood = isGood && found > 0
            RandomPeers.say(
                "self-test: \(fault.rawValue): found \(found) times" + (others.isEmpty ? "" : ", also \(others)"))
        }
        return isGood
    }
}
