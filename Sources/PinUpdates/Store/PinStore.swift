// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust
import TrustSupport

/// The pins that are in force, and the way in for newer ones: what an app is built with as the floor, the newest accepted list on disk.
///
/// ```swift
/// let store = try PinStore(file: "pins.json", floor: floor)
/// let client = try TrustedHTTPClient(trust: ServerTrustConfiguration(store.manager))
/// for await event in store.events {
///     if case .listReplaced = event { await client.reevaluateConnections() }
/// }
/// ```
/// ``manager`` is one object for good; its rules are replaced whenever a list comes into force. Nothing is ever trusted because it came
/// first: a list counts if the keys that the app is built with have signed it, or keys that those have vouched for.
///
/// The file holds signed documents and is verified each time it is read. It is replaced as a whole and flushed: whatever moment the process
/// is killed at, the next one finds the old list or the new. Several processes may share it (`FILE.lock` beside it); one sees what another
/// has accepted after ``reload()``, which every ``accept(_:at:)`` does first.
///
/// Not noticed: a file that somebody who may write it deletes or replaces by an older one of its own. The floor is what holds then.
public final class PinStore: Sendable {
    /// Where the newest accepted list is kept.
    public let file: String
    /// What the app is built with.
    public let floor: PinFloor
    /// Judges by what is in force at the time. Hand it to clients; don't replace its rules.
    public let manager: ServerTrustManager

    private struct State {
        var standing: PinStanding
        var table: PinTable
        var fileProblem: PinListRefusal?
        var observers: [Int: AsyncStream<PinStoreEvent>.Continuation] = [:]
        var nextObserver = 0
    }

    private let state: Locked<State>
    private let makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager

    /// Reads the file; a missing one is what a new installation has. One that isn't right counts for nothing (``fileProblem``).
    /// - Parameters:
    ///   - file: its folder has to be there.
    ///   - floor: what the app is built with.
    ///   - makeManager: makes rules of a configuration; a list for which it throws is refused.
    /// - Throws: what `makeManager` throws for the floor.
    public init(
        file: String, floor: PinFloor,
        makeManager: @escaping @Sendable (PinConfiguration) throws -> ServerTrustManager = {
            try $0.serverTrustManager()
        }
    ) throws {
        self.file = file
        self.floor = floor
        self.makeManager = makeManager
        self.state = Locked(State(standing: PinStanding(floor), table: PinTable(floor.configuration)))
        self.manager = try makeManager(floor.configuration)
        manager.replaceRules(by: manager, deniedKeys: floor.deniedKeys)
        reload()
    }

    deinit { for observer in state.withLock({ $0.observers }).values { observer.finish() } }

    /// The list in force; nil if it is what the app is built with.
    public var list: PinList? { state.withLock { $0.standing.list } }

    /// The number of the list in force; the floor's at least.
    public var sequence: Int { state.withLock { $0.standing.sequence } }

    /// What holds for which host now.
    public var table: PinTable { state.withLock { $0.table } }

    /// What is wrong with the file as it was last read; nil if nothing is. The next accepted list replaces it.
    public var fileProblem: PinListRefusal? { state.withLock { $0.fileProblem } }

    /// What happens from now on, for as long as the store lives. A slow reader gets the newest 64.
    public var events: AsyncStream<PinStoreEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let id = state.withLock { state in
                state.nextObserver += 1
                state.observers[state.nextObserver] = continuation
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.observers.removeValue(forKey: id) }
            }
        }
    }

    func tell(_ event: PinStoreEvent) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(event) }
    }
}

// MARK: - Accepting

extension PinStore {
    /// What came of a document.
    public enum Outcome: Sendable, Hashable {
        /// It is in force now, here and on disk.
        case accepted(PinList)
        /// It was in force already.
        case unchanged
    }

    /// Verifies a document, from whatever source, keeps it and puts it in force. Blocks for as long as the disk takes.
    /// - Parameters:
    ///   - bytes: as it was downloaded (``SignedPinList``).
    ///   - now: the clock.
    /// - Throws: ``PinListRefusal``; what was in force is then, here and on disk.
    @discardableResult
    public func accept(_ bytes: [UInt8], at now: Time = .now()) throws(PinListRefusal) -> Outcome {
        do throws(PinListRefusal) {
            let document = try SignedPinList(bytes)
            return try storage.locked(
                { PinListRefusal(.storeNotWritable, "\(file).lock: \($0)") },
                { () throws(PinListRefusal) in try accept(document, at: now) })
        } catch {
            tell(.documentRefused(error))
            throw error
        }
    }

    /// Under the lock.
    private func accept(_ document: SignedPinList, at now: Time) throws(PinListRefusal) -> Outcome {
        let stored = readFile()
        let standing = state.withLock { $0.standing }
        var next = standing
        switch try next.accept(document, at: now) {
        case .unchanged:
            // What somebody has broken, deleted or put back meanwhile is written anew.
            if stored != standing.sequence { try write(standing) }
            return .unchanged
        case .newer(let list):
            let manager = try list.manager(makeManager)
            try write(next)
            putInForce(next, manager)
            return .accepted(list)
        }
    }

    /// Reads the file for what another process has accepted. A list that is older than the one in force is left alone.
    public func reload() { _ = readFile() }

    /// - Returns: the number of the list that the file leads to; nil if it leads to none.
    private func readFile() -> Int? {
        do throws(PinListRefusal) {
            guard let stored = try storedStanding() else {
                state.withLock { $0.fileProblem = nil }
                return nil
            }
            if stored.sequence > sequence, let list = stored.list {
                putInForce(stored, try list.manager(makeManager))
            }
            state.withLock { $0.fileProblem = nil }
            return stored.sequence
        } catch {
            state.withLock { $0.fileProblem = error }
            tell(.fileRefused(error))
            return nil
        }
    }

    /// In one step with the manager, and never backwards, whatever other threads do.
    private func putInForce(_ standing: PinStanding, _ manager: ServerTrustManager) {
        guard let list = standing.list else { return }
        let table = PinTable(list.configuration)
        let isNewer = state.withLock { state in
            guard standing.sequence > state.standing.sequence else { return false }
            state.standing = standing
            state.table = table
            self.manager.replaceRules(by: manager, deniedKeys: list.deniedKeys)
            return true
        }
        if isNewer { tell(.listReplaced(list)) }
    }
}

// MARK: - The file

extension PinStore {
    private var storage: AtomicFile { AtomicFile(file) }

    /// What the file leads to from the floor; nil without a file. Dates were asked when it was accepted.
    private func storedStanding() throws(PinListRefusal) -> PinStanding? {
        let bytes: [UInt8]?
        do throws(AtomicFile.Problem) {
            bytes = try storage.read(maximumSize: SignedPinList.maximumSize, forOwnerAlone: false)
        } catch {
            throw PinListRefusal(.storeUnreadable, "\(file): \(error)")
        }
        guard let bytes else { return nil }
        var standing = PinStanding(floor)
        do throws(PinListRefusal) {
            _ = try standing.accept(try SignedPinList(bytes), at: nil)
        } catch {
            // An app that was updated brings a newer floor than what its predecessor has left on disk.
            guard error.code != .rollback else { return nil }
            throw error
        }
        return standing
    }

    private func write(_ standing: PinStanding) throws(PinListRefusal) {
        guard let document = standing.document else { return }
        do throws(AtomicFile.Problem) {
            try storage.write(document.bytes)
        } catch {
            throw PinListRefusal(.storeNotWritable, "\(file): \(error)")
        }
    }
}
