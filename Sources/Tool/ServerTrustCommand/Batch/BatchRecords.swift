// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The records among the lines of `verify --batch`, for one thread.
///
/// A record contains everything that its evaluation needs. The options of the command don't change its verdict, except
/// that `--denied` applies to every line.
struct BatchRecords {
    private let blobs: BlobFolder?
    private let denied: DeniedList?
    private var replay: RecordReplay

    /// - Parameters:
    ///   - memory: the signature cache that all threads share.
    ///   - blobs: the folder with the large values of records, or nil for none.
    ///   - denied: the certificates that are denied in addition to the recorded ones, or nil for none.
    init(memory: SignatureMemory, blobs: BlobFolder?, denied: DeniedList?) {
        self.blobs = blobs
        self.denied = denied
        replay = RecordReplay(memory: memory)
    }

    /// Returns whether the last line of a block is a record without the end of its line. A process that was killed, or
    /// still writes, leaves such a line.
    static func isIncomplete(_ line: Data, in block: RowBlock) -> Bool {
        guard case .lines(let data) = block.content,
            data.last != UInt8(ascii: "\n"), TrustRecord.begins(line)
        else { return false }
        Diagnostics.warn("skipped the last line: it is an incomplete record")
        return true
    }

    /// Returns the answer to a record, or nil for a line that isn't one.
    /// - Parameter name: the name of a row without an id, or nil for none.
    mutating func answer(_ line: Data, name: String?) throws(BatchRequest.Unreadable) -> BatchAnswer? {
        guard TrustRecord.mayBeRecord(line) else { return nil }
        var id: String?
        do throws(TrustRecordError) {
            guard var record = try TrustRecord(line: Array(line), blobs: blobs) else { return nil }
            record.id = record.id ?? name
            id = record.id
            guard record.isReproducible else {
                let names = record.unrecorded.joined(separator: ", ")
                throw TrustRecordError("not reproducible: the record doesn't contain \(names)")
            }
            let denied = denied
            let verdict = try replay.evaluate(
                record, changing: { $0.settings.denied = .union($0.settings.denied, denied) })
            return BatchAnswer(verdict, of: record)
        } catch {
            throw BatchRequest.Unreadable(
                id: id ?? BatchRequest.id(of: line),
                failures: [TrustFailure(.requestValueInvalid, found: .text("record: \(error)"))])
        }
    }
}

extension BatchAnswer {
    fileprivate init(_ verdict: TrustVerdict, of record: TrustRecord) {
        self.init(
            id: record.id, host: verdict.referenceName, verdict: verdict.isTrusted ? .trusted : .rejected,
            result: verdict.result, path: verdict.path, leaf: verdict.path.first,
            root: verdict.reachesAnchor ? verdict.path.last : nil, failures: verdict.failures,
            nameMismatch: verdict.nameMismatch.flatMap { $0.hasNearName ? $0 : nil }, warnings: verdict.warnings,
            transparency: record.transparency == nil ? nil : verdict.transparency,
            revocation: record.revocation == .off ? nil : verdict.revocation)
    }
}

extension BatchOptions {
    /// Returns the folder with the large values of records: the named one, or the one beside a file, or nil.
    func blobFolder(beside file: String?) -> BlobFolder? { Self.blobFolder(named: blobs, beside: file) }

    /// Returns the folder with a name, or else the one beside a file, or nil.
    static func blobFolder(named name: String?, beside file: String?) -> BlobFolder? {
        if let name { return BlobFolder(name) }
        guard let file, file != "-" else { return nil }
        return BlobFolder(URL(fileURLWithPath: file).deletingLastPathComponent().path + "/" + BlobFolder.name)
    }
}
