// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import TrustRecords

// Usage: TrustRecordsWriter FOLDER NAME [LIMIT]
// Records verdicts until a test kills it. Prints a line once the first ones are written. With a limit of the size of
// files in bytes, writes until its first failure, and prints its counts.

let folder = CommandLine.arguments[1]
let name = CommandLine.arguments[2]
let limit = CommandLine.arguments.count > 3 ? rlim_t(CommandLine.arguments[3]) : nil
if let limit {
    signal(SIGXFSZ, SIG_IGN)
    var size = rlimit(rlim_cur: limit, rlim_max: limit)
    setrlimit(__rlimit_resource_t(1), &size)
}
let recorder = TrustRecorder(folder: folder, recording: .all)
let manager = try ServerTrustManager(rules: [(HostPattern("**.example.com"), .enforced(DefaultTrustEvaluator()))])
manager.events.add(recorder)
let root = try TestAuthority.root()
let leaf = try root.issue(.leaf("*.\(name).example.com")).certificate
var settings = TrustSettings()
settings.anchors = .only([root.certificate])
settings.verifyDate = .at(TestAuthority.now)
var number = 0
while limit == nil || recorder.counts.failed == 0 {
    number += 1
    let host = try Hostname("h\(number).\(name).example.com")
    _ = manager.evaluate(Trust(presentedChain: PresentedChain([leaf]), host: host, settings: settings))
    if number % 50 == 0 { await recorder.flush() }
    if number == 50 { FileHandle.standardOutput.write(Data("ready\n".utf8)) }
}
print("\(recorder.counts.written) \(recorder.counts.failed)")
