// SPDX-License-Identifier: Apache-2.0

import PKIX
import TrustLists

/// The anchors that a path may end in: the system's, others instead of them, or others in addition.
///
/// ```swift
/// settings.anchors = .only([ourRoot])
/// settings.anchors = .system(adding: [ourRoot])
/// settings.anchors = .system.applying(try RootList(contentsOfFile: "certdata.txt"))
/// ```
/// Create a value once and keep it: every trust object that uses it shares the certificates, with their prepared keys.
///
/// The system's store has bare certificates. The conditions under which a root program trusts them, and the roots that it no longer trusts,
/// come from a `RootList`: from ``applying(_:unlisted:)``, or from the file that the variable `SERVERTRUST_ROOTS_OVERLAY` names.
public struct TrustAnchors: Sendable {
    /// The treatment of the system's roots that a complete list doesn't have. Those that the administrator has added are kept in any case.
    public enum Unlisted: String, Sendable, Hashable, CaseIterable {
        /// Paths to them are refused: `anchorNotInProgram`.
        case refuse
        /// They are trusted without conditions.
        case keep
    }

    private enum Source {
        /// The system's as they were at the first use in this process.
        case system
        case store(AnchorStore, Origin)
        case unavailable(SystemAnchorsError)
    }

    /// The origin of the anchors of a store.
    private struct Origin {
        /// The system's store whose anchors are among them; nil for none.
        var system: SystemAnchors?
        /// The certificates among them that are the caller's or the administrator's own, where the system's are among them.
        var given: Set<Certificate> = []
        /// The lists that apply to them.
        var overlay = AnchorOverlay()
        /// The certificates that the lists distrust under which the store was made, besides those of ``overlay``.
        var distrusted: [DistrustedCertificates] = []

        /// Whether anchors of the system's store are among them.
        var includesSystem: Bool { system != nil }

        init(_ store: AnchorStore) { distrusted = store.distrusted }

        /// Returns a store of anchors under the same distrust by the lists.
        func store(_ anchors: [TrustAnchor]) -> AnchorStore {
            AnchorStore(anchors, distrusted: distrusted + overlay.distrusted(among: anchors))
        }

        init(_ system: SystemAnchors) {
            self.system = system
            given = system.administratorsOwn
            overlay = AnchorOverlay(system.lists)
        }
    }

    private let source: Source
    /// The certificates that no path may contain, besides those of the store: they come from anchors that these replace.
    private var furtherDistrusted: [DistrustedCertificates] = []

    /// The operating system's anchors, read at the first use in this process, as ``readSystem(environment:)`` does.
    ///
    /// If there are none, an evaluation ends as ``TrustResultType/otherError``: a missing store is neither empty nor permissive.
    public static let system = TrustAnchors(.system)

    /// Returns anchors that are these certificates alone; with an empty list no server is trusted.
    public static func only(_ certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors(AnchorStore.only(certificates))
    }

    /// Returns the operating system's anchors, which are read at once, and further certificates.
    ///
    /// A list of the environment (`SERVERTRUST_ROOTS_OVERLAY`) changes of the further certificates only those that it names.
    public static func system(adding certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors.system.adding(certificates, evenIfEmpty: true)
    }

    /// Creates anchors from an existing store.
    package init(_ store: AnchorStore) { self.source = .store(store, Origin(store)) }

    /// Creates the anchors of a system's store.
    package init(_ system: SystemAnchors) { self.source = .store(system.store, Origin(system)) }

    private init(_ source: Source) { self.source = source }

    /// Returns these anchors under the conditions of a list, besides those that they have.
    ///
    /// Of anchors that the caller has given, only those change that the list names. The system's are read at once. Several lists apply
    /// together, in any order.
    /// - Parameters:
    ///   - list: the list of a root program. It adds no anchor.
    ///   - unlisted: the treatment of the system's roots that a complete list doesn't have. They are refused by default, but for the
    ///     administrator's own.
    public func applying(_ list: RootList, unlisted: TrustAnchors.Unlisted = .refuse) -> TrustAnchors {
        changed { store, origin in
            let overlay = AnchorOverlay([list], unlisted: unlisted)
            origin.overlay = origin.overlay.adding(overlay)
            store = origin.store(
                store.anchors.map { anchor in
                    let isGiven = !origin.includesSystem || origin.given.contains(anchor.certificate)
                    return overlay.anchor(anchor, isGiven: isGiven)
                })
        } unavailable: { furtherDistrusted in
            furtherDistrusted += [list.distrustedCertificates(among: [])].compactMap(\.self)
        }
    }

    /// Returns the store.
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed and there are none.
    package func store() throws(SystemAnchorsError) -> AnchorStore {
        switch source {
        case .system: return try SystemAnchors.shared().store
        case .store(let store, _): return store
        case .unavailable(let error): throw error
        }
    }

    /// Returns these anchors and further certificates; the same ones if there are none.
    package func adding(_ certificates: [Certificate]) -> TrustAnchors { adding(certificates, evenIfEmpty: false) }

    private func adding(_ certificates: [Certificate], evenIfEmpty: Bool) -> TrustAnchors {
        guard !certificates.isEmpty || evenIfEmpty else { return self }
        return changed { store, origin in
            let added = Set(certificates)
            let overlay = origin.overlay
            // A list that doesn't have an anchor says nothing about it from now on.
            let kept = store.anchors.map {
                added.contains($0.certificate) ? AnchorOverlay().anchor($0, isGiven: true) : $0
            }
            store = origin.store(kept + certificates.map { overlay.anchor(TrustAnchor($0), isGiven: true) })
            origin.given.formUnion(added)
        }
    }

    /// Returns anchors with another store. The system's are read.
    /// - Parameter unavailable: the change of anchors that can't be read; none by default.
    private func changed(
        _ change: (inout AnchorStore, inout Origin) -> Void,
        unavailable: (inout [DistrustedCertificates]) -> Void = { _ in }
    ) -> TrustAnchors {
        var store: AnchorStore
        var origin: Origin
        switch source {
        case .system:
            do throws(SystemAnchorsError) {
                let system = try SystemAnchors.shared()
                (store, origin) = (system.store, Origin(system))
            } catch {
                var anchors = TrustAnchors(.unavailable(error))
                anchors.furtherDistrusted = furtherDistrusted
                unavailable(&anchors.furtherDistrusted)
                return anchors
            }
        case .store(let current, let currentOrigin): (store, origin) = (current, currentOrigin)
        case .unavailable:
            var anchors = self
            unavailable(&anchors.furtherDistrusted)
            return anchors
        }
        change(&store, &origin)
        var anchors = TrustAnchors(.store(store, origin))
        anchors.furtherDistrusted = furtherDistrusted
        return anchors
    }

    /// Returns other anchors in place of these. Certificates that the lists over these distrust stay distrusted.
    ///
    /// If the list of the environment can't be read, the result is without anchors, as these are.
    package func replaced(by anchors: TrustAnchors) -> TrustAnchors {
        let distrusted: [DistrustedCertificates]
        do throws(SystemAnchorsError) { distrusted = try self.distrusted() } catch { return self }
        guard !distrusted.isEmpty else { return anchors }
        var replaced = anchors
        replaced.furtherDistrusted = anchors.furtherDistrusted.adding(distrusted)
        return replaced
    }

    /// Returns the certificates that no path may contain, by the lists of root programs.
    /// - Throws: ``SystemAnchorsError`` for a list of the environment that can't be read.
    func distrusted() throws(SystemAnchorsError) -> [DistrustedCertificates] {
        switch source {
        case .system: return try SystemAnchors.sharedDistrust().adding(furtherDistrusted)
        case .store(let store, _): return store.distrusted.adding(furtherDistrusted)
        case .unavailable(let error):
            guard error.listError == nil else { throw error }
            return furtherDistrusted
        }
    }

    /// Whether these are the system's anchors alone, without conditions besides those of the environment.
    var isSystem: Bool { if case .system = source { furtherDistrusted.isEmpty } else { false } }

    /// Whether these include the system's anchors, so that warnings about the system's store apply.
    var includesSystem: Bool {
        switch source {
        case .system, .unavailable: true
        case .store(_, let origin): origin.includesSystem
        }
    }

    /// Whether both are the same store. Two stores with equal anchors are not the same.
    func isSame(as other: TrustAnchors) -> Bool {
        guard furtherDistrusted.areSame(as: other.furtherDistrusted) else { return false }
        return switch (source, other.source) {
        case (.system, .system): true
        case (.store(let one, _), .store(let another, _)): one === another
        case (.unavailable(let one), .unavailable(let another)): one == another
        case (.system, _), (.store, _), (.unavailable, _): false
        }
    }
}

// MARK: - Reading them

extension TrustAnchors {
    /// The certificates, in the order of the store, each once.
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed and there are none.
    public var certificates: [Certificate] {
        get throws(SystemAnchorsError) { try store().anchors.map(\.certificate) }
    }

    /// The number of certificates.
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed and there are none.
    public var count: Int {
        get throws(SystemAnchorsError) { try store().count }
    }

    /// The lists that apply to the anchors, that of the environment among them: `Mozilla, 2026-06-13`.
    public var lists: [String] {
        switch source {
        case .system: system?.overlays ?? []
        case .store(_, let origin): origin.overlay.layers.map(\.list.source)
        case .unavailable: []
        }
    }

    /// The system's store that is part of these anchors; nil for none, and for one that can't be read.
    var system: SystemAnchors? {
        switch source {
        case .system: try? SystemAnchors.shared()
        case .store(_, let origin): origin.system
        case .unavailable: nil
        }
    }
}
