// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A store for the pins in force: the list that is built into the app, or the newest accepted list, which the store
/// keeps on disk.
///
/// ```swift
/// let store = try PinStore(file: "pins.json", builtIn: builtIn)
/// let client = try TrustedHTTPClient(trust: ServerTrustConfiguration(store.manager))
/// ```
/// ``manager`` is the same object for the life of the store. The store replaces its rules when a list comes into force.
/// Clients with this manager then evaluate their open connections again, and close those to servers that the list
/// refuses.
///
/// There is no trust on first use: a list has to be signed by the keys that are built into the app, or by keys that
/// they have vouched for.
///
/// The file contains signed documents, which the store verifies each time it reads them. The store replaces the file as
/// a whole and flushes it. If the process is killed at any moment, the next process finds either the old list or the
/// new one. Several processes can share the file, with `FILE.lock` next to it. After ``reload()``, a process sees a
/// list that another process has accepted. Every ``accept(_:at:)`` reloads first.
///
/// Not detected: a process that can write to the file deletes it, or replaces it with an older list for the app. The
/// built-in list limits the damage.
public final class PinStore: Sendable {
    /// The path of the file with the newest accepted list.
    let file: String
    /// The list that is built into the app.
    let builtIn: BuiltInPinList
    /// The manager with the rules in force. Pass it to clients, but don't replace its rules.
    public let manager: ServerTrustManager

    fileprivate struct State {
        var listState: PinListState
        var table: PinTable
        var fileProblem: PinListError?
        var filters: [RevocationFilter] = []
        var filterProblem: RevocationFilterFileError?
        var observers: [Int: AsyncStream<PinStoreEvent>.Continuation] = [:]
        var nextObserver = 0
    }

    private let state: Locked<State>
    /// The app's settings for Certificate Transparency, without the logs of signed lists, or nil for no check.
    private let transparency: TransparencySettings?
    /// The folder of the filters that lists name, or nil for none.
    private let filterFolder: String?
    private let makeManager: @Sendable (PinConfiguration) throws -> ServerTrustManager

    /// Opens a store and reads its file. A new installation has no file yet. The store ignores an invalid file
    /// (``fileProblem``).
    /// - Parameters:
    ///   - file: the path of the file. Its folder has to exist.
    ///   - builtIn: the list that is built into the app.
    ///   - transparency: the Certificate Transparency check for every host of ``manager``, with the logs in the list in
    ///     force. Until a list has logs, the check uses the logs in these settings. By default, there is no check.
    ///   - filterFolder: the folder of revocation filters, such as `servertrust cache update --filters` maintains. The
    ///     manifest in the list in force names filters with their sizes and digests. ``manager`` uses these filters in
    ///     evaluations instead of `RevocationData.filters`. By default, there is no folder, and the lists' filters have
    ///     no effect.
    ///   - makeManager: creates the rules for a configuration. If it throws for a list, that list isn't accepted.
    /// - Throws: ``PinListError`` if the built-in list doesn't pin a host that it declares as always pinned, or has a
    ///   signer among its root keys. Also throws the error of `makeManager` for the built-in list.
    public init(
        file: String, builtIn: BuiltInPinList, transparency: TransparencySettings? = nil,
        filterFolder: String? = nil,
        makeManager: @escaping @Sendable (PinConfiguration) throws -> ServerTrustManager = {
            try $0.serverTrustManager()
        }
    ) throws {
        try builtIn.check()
        self.file = file
        self.builtIn = builtIn
        self.transparency = transparency
        self.filterFolder = filterFolder
        self.makeManager = makeManager
        let list = builtIn.contents
        self.state = Locked(State(listState: PinListState(builtIn), table: PinTable(list.configuration)))
        self.manager = try makeManager(list.configuration)
        let opened = openFilters(list.filters)
        state.withLock { $0.take(opened) }
        replaceRules(by: manager, denied: .union(list.deniedKeys, list.denied), state.withLock { $0 })
        reload()
    }

    deinit { for observer in state.withLock({ $0.observers }).values { observer.finish() } }

    /// The accepted list in force, or nil for the built-in one.
    public var list: PinList? { state.withLock { $0.listState.list } }

    /// The sequence number of the list in force.
    public var sequence: Int { state.withLock { $0.listState.sequence } }

    /// The configuration in force, indexed by host.
    public var table: PinTable { state.withLock { $0.table } }

    /// The problem with the file when the store last read it, or nil for none. The next accepted list replaces the
    /// file.
    public var fileProblem: PinListError? { state.withLock { $0.fileProblem } }

    /// The problem with the filters when the store last opened them, or nil for none.
    public var filterProblem: RevocationFilterFileError? { state.withLock { $0.filterProblem } }

    /// The events from now on, for the life of the store. A slow reader receives only the newest 64 events.
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

    func emit(_ event: PinStoreEvent) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(event) }
    }
}

// MARK: - Accepting

extension PinStore {
    /// The result for a valid document.
    public enum Outcome: Sendable, Hashable {
        /// The list is now in force and on disk.
        case accepted(PinList)
        /// The list was already in force.
        case unchanged
    }

    /// Verifies a document from any source, stores it, and puts its list into force. Blocks while it writes to the
    /// disk.
    /// - Parameters:
    ///   - bytes: the document as downloaded (``SignedPinList``).
    ///   - now: the clock's time.
    /// - Throws: ``PinListError``. In that case, the current list stays in force, in memory and on disk.
    @discardableResult
    public func accept(_ bytes: [UInt8], at now: Time = .now()) throws(PinListError) -> Outcome {
        do throws(PinListError) {
            let document = try SignedPinList(bytes)
            return try storage.locked(
                { PinListError(.pinListStoreNotWritable, $0, at: file) },
                { () throws(PinListError) in try accept(document, at: now) })
        } catch {
            emit(.documentRefused(error))
            throw error
        }
    }

    /// Accepts a document. The caller holds the lock.
    private func accept(_ document: SignedPinList, at now: Time) throws(PinListError) -> Outcome {
        let stored = readFile()
        let listState = state.withLock { $0.listState }
        var next = listState
        switch try next.accept(document, at: now) {
        case .unchanged:
            // Writes the file again if it was damaged, deleted or replaced in the meantime.
            if stored != listState.sequence { try write(listState) }
            return .unchanged
        case .newer(let list):
            let manager = try list.manager(makeManager)
            try write(next)
            putInForce(next, manager)
            return .accepted(list)
        }
    }

    /// Reads the file for a list that another process has accepted. Ignores a list that is older than the one in force.
    public func reload() { _ = readFile() }

    /// Reads the file.
    /// - Returns: the sequence number of its list, or nil if the file has no valid list.
    private func readFile() -> Int? {
        do throws(PinListError) {
            guard let stored = try storedState() else {
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
            emit(.fileRefused(error))
            return nil
        }
    }

    /// Puts a list and its manager into force in one step. Regardless of what other threads do, an older list never
    /// comes into force.
    private func putInForce(_ listState: PinListState, _ manager: ServerTrustManager) {
        guard let list = listState.list else { return }
        let table = PinTable(list.configuration)
        let opened = openFilters(list.filters)
        let isNewer = state.withLock { state in
            guard listState.sequence > state.listState.sequence else { return false }
            state.listState = listState
            state.table = table
            state.take(opened)
            replaceRules(by: manager, denied: .union(list.deniedKeys, list.denied), state)
            return true
        }
        guard isNewer else { return }
        emit(.listReplaced(list))
        if case .failure(let problem) = opened { emit(.filtersRefused(problem)) }
    }
}

// MARK: - Filters

extension PinStore {
    /// Opens the filters in the list in force again, after you have put files into the store's folder. If filters are
    /// missing or differ from the list's manifest, the previous filters stay in force (``filterProblem``). Blocks while
    /// it reads the files.
    public func reloadFilters() {
        let (number, manifest) = state.withLock { ($0.listState.sequence, $0.listState.inForce.filters) }
        let opened = openFilters(manifest)
        state.withLock { state in
            // A list that came into force in the meantime has opened its own filters.
            guard state.listState.sequence == number else { return }
            state.take(opened)
            replaceRules(by: manager, denied: manager.denied, state)
        }
        if case .failure(let problem) = opened { emit(.filtersRefused(problem)) }
    }

    private func replaceRules(by manager: ServerTrustManager, denied: DeniedList?, _ state: State) {
        self.manager.replaceRules(
            by: manager, denied: denied, transparency: transparency?.with(state.listState.logs), filters: state.filters)
    }

    /// Opens the filters in a manifest. Opens no filters if there is no manifest or no folder.
    private func openFilters(
        _ filters: PinListFilters?
    ) -> Result<[RevocationFilter], RevocationFilterFileError> {
        guard let filters, let filterFolder else { return .success([]) }
        do throws(RevocationFilterFileError) {
            return .success(try RevocationFilterFolder(filterFolder, filters.manifest).filters)
        } catch {
            return .failure(error)
        }
    }
}

extension PinStore.State {
    /// Puts filters into force. If they have a problem, records it and keeps the previous filters.
    fileprivate mutating func take(_ opened: Result<[RevocationFilter], RevocationFilterFileError>) {
        switch opened {
        case .success(let filters): (self.filters, filterProblem) = (filters, nil)
        case .failure(let problem): filterProblem = problem
        }
    }
}

// MARK: - The file

extension PinStore {
    private var storage: AtomicFile { AtomicFile(file) }

    /// Returns the state that the file produces from the built-in list. Returns nil without a file, or with a file from
    /// before the app was updated. Dates were checked on acceptance. The newest filter manifest in a file from before
    /// the update is remembered.
    private func storedState() throws(PinListError) -> PinListState? {
        let bytes: [UInt8]?
        do throws(AtomicFile.Problem) {
            bytes = try storage.read(maximumSize: SignedPinList.maximumStoredSize, forOwnerAlone: false)
        } catch {
            throw PinListError(.pinListStoreUnreadable, "\(file): \(error)", at: file)
        }
        guard let bytes else { return nil }
        var listState = PinListState(builtIn)
        let document = try SignedPinList(stored: bytes)
        listState.recallFilters(in: document)
        state.withLock { $0.listState.recallFilters(of: listState) }
        do throws(PinListError) {
            _ = try listState.accept(document, at: nil)
        } catch {
            // An updated app has a newer built-in list than the file that its previous version wrote.
            guard error.code != .pinListRollback else { return nil }
            throw error
        }
        return listState
    }

    private func write(_ listState: PinListState) throws(PinListError) {
        guard let document = listState.document else { return }
        do throws(AtomicFile.Problem) {
            try storage.write(document.bytes)
        } catch {
            throw PinListError(.pinListStoreNotWritable, "\(file): \(error)", at: file)
        }
    }
}
