// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting

// Usage: TrustRecordsWriter FOLDER NAME [LIMIT | full | unprivileged]
// Records verdicts until a test kills it. Prints a line once the first ones are written. With a limit of the size of
// files in bytes, with `full`, or as a user other than root with `unprivileged`, writes until its first failure, and
// prints its counts.

let folder = CommandLine.arguments[1]
let name = CommandLine.arguments[2]
let kind = CommandLine.arguments.dropFirst(3).first
// Root may write to any folder.
if kind == "unprivileged", geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { exit(1) }
if let limit = kind.flatMap({ rlim_t($0) }) {
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
while kind == nil || recorder.counts.failed == 0 {
    number += 1
    let host = try Hostname("h\(number).\(name).example.com")
    _ = manager.evaluate(Trust(presentedChain: PresentedChain([leaf]), host: host, settings: settings))
    if number % 50 == 0 { await recorder.flush() }
    if number == 50 { FileHandle.standardOutput.write(Data("ready\n".utf8)) }
}
print("\(recorder.counts.written) \(recorder.counts.failed)")
