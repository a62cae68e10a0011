// SPDX-License-Identifier: Apache-2.0

import Foundation
@_spi(Fuzzing) import PKIX
@_spi(Fuzzing) import ServerTrust

/// The folder with the large values, which `blob` fills.
private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "fuzz-replay-\(ProcessInfo.processInfo.processIdentifier)")

/// Whether the folder exists. A target runs on one thread.
private nonisolated(unsafe) var isUsed = false

/// Reads a record and a large value, and evaluates the record. A line feed separates them. In the line, `"#"` stands for
/// the value's name and size, so that a changed value still reaches the evaluation.
///
/// A record that can be read must be equal after it is written and read again. A trusted verdict must have a path to an
/// anchor of the record, and obey the record's pins and its comparison of names.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    var line = Array(parts[0])
    if parts.count > 1, let place = Data(line).range(of: Data("\"#\"".utf8)) {
        line.replaceSubrange(place, with: blob(Array(parts[1])))
    }
    defer {
        if isUsed { try? FileManager.default.removeItem(at: folder) }
        isUsed = false
    }
    guard let record = FuzzedRecord(line: line, blobs: folder.path) else { return 0 }
    let (written, values) = record.written()
    guard written.last == UInt8(ascii: "\n"), !written.dropLast().contains(UInt8(ascii: "\n")) else {
        fatalError("a record that isn't one line")
    }
    for value in values.values { _ = blob(value) }
    guard let again = FuzzedRecord(line: written, blobs: folder.path), again.equals(record) else {
        fatalError("another record after writing and reading")
    }
    guard let verdict = record.verdict() else { return 0 }
    guard verdict.isTrusted == verdict.failures.isEmpty else { fatalError("a verdict that contradicts itself") }
    guard verdict.isTrusted else { return 0 }
    guard let anchor = verdict.path.last, record.usesSystemAnchors || record.hasAnchor(anchor) else {
        fatalError("a path to an anchor that the record doesn't have")
    }
    if record.isMismatched || record.isUnpinned(verdict.path) { fatalError("a verdict more trusting than the record") }
    return 0
}

/// Writes a value into the folder, and returns its JSON.
private func blob(_ bytes: [UInt8]) -> [UInt8] {
    let name = FuzzedRecord.blobName(of: bytes)
    isUsed = true
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: folder.appendingPathComponent(name))
    return Array("{\"sha256\":\"\(name)\",\"bytes\":\(bytes.count)}".utf8)
}
