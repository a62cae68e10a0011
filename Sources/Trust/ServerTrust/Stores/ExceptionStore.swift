// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX

/// A store for the exceptions that users agreed to, kept in a file.
///
/// The file is JSON. Only its owner may have write permission, otherwise the store refuses the file. The store replaces
/// the file as a whole, so a reader, or a program after a crash, finds either the old contents or the new. Several
/// processes may share the file: before a change, a store reads the changes of other processes, under a lock (the file
/// `FILE.lock` next to it). The store contains one entry for each host and leaf. A newer entry replaces an older one.
///
/// ```swift
/// let store = try ExceptionStore(file: "exceptions.json")
/// store.apply(to: &trust)
/// let verdict = trust.evaluate()
/// if verdict.result == .recoverableFailure, userAgrees(to: verdict.failures) {
///     try store.add(verdict.exceptions(expires: .now().advanced(by: .days(30))))
/// }
/// ```
public final class ExceptionStore: Sendable {
    /// The path of the file.
    let file: String

    /// The maximum size of the file, in bytes.
    static let maximumSize = 16 << 20

    private let entries: Locked<[TrustExceptions]>
    private let changeCount = Locked(0)

    /// Reads the file. If it doesn't exist, the store is empty, and the first change creates the file.
    /// - Throws: ``ExceptionStoreError`` if the file can't be read or isn't a file of exceptions. The file stays
    ///   unchanged.
    public init(file: String) throws(ExceptionStoreError) {
        self.file = file
        self.entries = Locked(try Self.read(file))
    }

    /// All entries, including expired ones.
    public var all: [TrustExceptions] { entries.withLock { $0 } }

    /// The number of changes so far.
    var changes: Int { changeCount.withLock { $0 } }

    private func replace(_ exceptions: [TrustExceptions]) {
        entries.withLock { $0 = exceptions }
        changeCount.withLock { $0 += 1 }
    }

    /// Returns the exceptions for this leaf at this host. ``Trust/setExceptions(_:)`` determines whether they still
    /// apply.
    public func exceptions(for host: Hostname, leaf: Certificate) -> TrustExceptions? {
        let name = host.description
        let mine = entries.withLock { entries in entries.filter { $0.host == name } }
        guard !mine.isEmpty else { return nil }
        let digest = Hex.encode(leaf.sha256)
        return mine.last { $0.leafSHA256 == digest }
    }

    /// Reads the file again to pick up changes by another process.
    public func reload() throws(ExceptionStoreError) {
        // Under the lock, because otherwise an entry that another thread removes meanwhile would come back.
        try locked { () throws(ExceptionStoreError) in
            let read = try Self.read(file)
            replace(read)
        }
    }

    /// Adds an entry and writes the file. The entry replaces an existing one for the same host and leaf.
    /// - Throws: ``ExceptionStoreError`` if the file can't be written. Memory and file then stay unchanged.
    public func add(_ exceptions: TrustExceptions) throws(ExceptionStoreError) {
        try change { entries in
            entries.removeAll { $0.host == exceptions.host && $0.leafSHA256 == exceptions.leafSHA256 }
            entries.append(exceptions)
        }
    }

    /// Removes every entry for a host and writes the file.
    public func removeAll(for host: Hostname) throws(ExceptionStoreError) {
        let name = host.description
        try change { $0.removeAll { $0.host == name } }
    }

    /// Applies the exceptions for the host and leaf of a trust object, if they are valid on its date.
    /// - Returns: whether they apply, or nil if the store has no exceptions for them or the trust object has no host or
    ///   no leaf. Exceptions that don't apply leave the trust object unchanged.
    @discardableResult
    public func apply(to trust: inout Trust) -> TrustExceptions.Fit? {
        guard let host = trust.host, let leaf = trust.presentedChain.leaf,
            let agreed = exceptions(for: host, leaf: leaf)
        else { return nil }
        return trust.setExceptions(agreed)
    }

    /// Removes the entries that have expired at `time` and writes the file.
    public func removeExpired(at time: Time) throws(ExceptionStoreError) {
        try change { $0.removeAll { $0.expires.map { time > $0 } ?? false } }
    }
}

// MARK: - The file

extension ExceptionStore {
    private struct Contents: Codable {
        var schemaVersion: Int
        var exceptions: [TrustExceptions]
    }

    private static let schemaVersion = 1

    private static func read(_ file: String) throws(ExceptionStoreError) -> [TrustExceptions] {
        let bytes: [UInt8]?
        do throws(AtomicFile.Problem) {
            bytes = try AtomicFile(file).read(maximumSize: maximumSize, forOwnerAlone: true)
        } catch {
            throw ExceptionStoreError(file, error)
        }
        guard let bytes else { return [] }
        do {
            let contents = try JSONDecoder().decode(Contents.self, from: Data(bytes))
            guard contents.schemaVersion == schemaVersion else {
                throw ExceptionStoreError(
                    malformed: file, "schemaVersion \(contents.schemaVersion), expected \(schemaVersion)")
            }
            return contents.exceptions
        } catch let error as ExceptionStoreError {
            throw error
        } catch {
            throw ExceptionStoreError(malformed: file, describe(error))
        }
    }

    /// Reads the changes of other processes, applies the change, and replaces the file.
    private func change(_ change: (inout [TrustExceptions]) -> Void) throws(ExceptionStoreError) {
        try locked { () throws(ExceptionStoreError) in
            var changed = try Self.read(file)
            change(&changed)
            try Self.write(changed, to: file)
            replace(changed)
        }
    }

    /// Runs `body` under the lock. No other store of this file, in any process, runs its `body` meanwhile.
    private func locked(_ body: () throws(ExceptionStoreError) -> Void) throws(ExceptionStoreError) {
        try AtomicFile(file).locked({ ExceptionStoreError(file, .notWritable($0)) }, body)
    }

    private static func write(_ exceptions: [TrustExceptions], to file: String) throws(ExceptionStoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes: [UInt8]
        do {
            let json = try encoder.encode(Contents(schemaVersion: schemaVersion, exceptions: exceptions))
            bytes = JSONWriter.escaping(json) + [0x0a]
        } catch {
            throw ExceptionStoreError(file, .notWritable(describe(error)))
        }
        guard bytes.count <= maximumSize else { throw ExceptionStoreError(file, .tooLarge(bytes.count)) }
        do throws(AtomicFile.Problem) {
            try AtomicFile(file).write(bytes)
        } catch {
            throw ExceptionStoreError(file, error)
        }
    }

    /// Returns a description of the decoder's error with its key.
    private static func describe(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return String(describing: error) }
        func at(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "" : " at " + path.joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, let context): "key \"\(key.stringValue)\" is missing" + at(context)
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription + at(context)
        @unknown default: String(describing: error)
        }
    }
}
