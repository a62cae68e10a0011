// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The root certificates you trust: the system's, your own instead of them, or both.
///
/// ```swift
/// settings.anchors = .only([ourRoot])
/// settings.anchors = .system(adding: [ourRoot])
/// settings.anchors = .system.applying(try RootList(contentsOfFile: "certdata.txt"))
/// ```
/// Create a value once and keep it: every trust object that uses it shares the certificates, with their prepared keys.
///
/// The system's store contains only certificates. A root program's conditions for trusting them, and the roots
/// it no longer trusts, come from a `RootList`. Pass one to ``applying(_:unlisted:)``, or name its file in the variable
/// `SERVERTRUST_ROOTS_OVERLAY`.
public struct TrustAnchors: Sendable {
    /// The treatment of the system's roots that are missing from a complete list. Roots that the administrator added
    /// are always kept.
    public enum Unlisted: String, Sendable, Hashable, CaseIterable {
        /// Refuses paths to these roots with `anchorNotInProgram`.
        case refuse
        /// Trusts these roots without conditions.
        case keep
    }

    private enum Source {
        /// The system's anchors as they were when this process first used them.
        case system
        case store(AnchorStore, Origin)
        case unavailable(SystemAnchorsError)
    }

    /// The origin of a store's anchors.
    private struct Origin {
        /// The system's store, if its anchors are part of this store. Nil otherwise.
        var system: SystemAnchors?
        /// The anchors that the caller or the administrator added, if the store includes the system's anchors.
        var given: Set<Certificate> = []
        /// The lists that apply to the anchors.
        var overlay = AnchorOverlay()
        /// The certificates distrusted by the lists that were used to create the store, in addition to those of
        /// ``overlay``.
        var distrusted: [DistrustedCertificates] = []

        /// Whether the store includes anchors of the system's store.
        var includesSystem: Bool { system != nil }

        init(_ store: AnchorStore) { distrusted = store.distrusted }

        /// Returns a store of other anchors, with the same distrusted certificates.
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
    /// Certificates that no path may contain, in addition to those of the store. They come from anchors that these
    /// anchors replace.
    private var furtherDistrusted: [DistrustedCertificates] = []

    /// The operating system's anchors, read when this process first uses them. See ``readSystem(environment:)``.
    ///
    /// If the system has no anchors, an evaluation returns ``TrustResultType/otherError``. A missing store doesn't
    /// count as an empty one and never trusts a server.
    public static let system = TrustAnchors(.system)

    /// Returns anchors that consist of only these certificates. With an empty list, no server is trusted.
    public static func only(_ certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors(AnchorStore.only(certificates))
    }

    /// Returns the operating system's anchors and these certificates. Reads the system's anchors immediately.
    ///
    /// The list named by `SERVERTRUST_ROOTS_OVERLAY` affects an added certificate only if the list contains it.
    public static func system(adding certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors.system.adding(certificates, evenIfEmpty: true)
    }

    /// Creates anchors from an existing store.
    package init(_ store: AnchorStore) { self.source = .store(store, Origin(store)) }

    /// Creates the anchors of a system's store.
    package init(_ system: SystemAnchors) { self.source = .store(system.store, Origin(system)) }

    private init(_ source: Source) { self.source = source }

    /// Returns these anchors with the conditions of a list added to their existing ones.
    ///
    /// The list affects an anchor that you added only if it contains that anchor. Reads the system's anchors
    /// immediately. You can apply several lists, in any order.
    /// - Parameters:
    ///   - list: the list of a root program. It adds no anchor.
    ///   - unlisted: the treatment of the system's roots that are missing from a complete list. By default they are
    ///     refused, except those that the administrator added.
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
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed but can't be read.
    package func store() throws(SystemAnchorsError) -> AnchorStore {
        switch source {
        case .system: return try SystemAnchors.shared().store
        case .store(let store, _): return store
        case .unavailable(let error): throw error
        }
    }

    /// Returns these anchors and the certificates. Returns the same anchors if there are no certificates.
    package func adding(_ certificates: [Certificate]) -> TrustAnchors { adding(certificates, evenIfEmpty: false) }

    private func adding(_ certificates: [Certificate], evenIfEmpty: Bool) -> TrustAnchors {
        guard !certificates.isEmpty || evenIfEmpty else { return self }
        return changed { store, origin in
            let added = Set(certificates)
            let overlay = origin.overlay
            // The caller now adds these anchors, so a list that doesn't contain one no longer refuses it.
            let kept = store.anchors.map {
                added.contains($0.certificate) ? AnchorOverlay().anchor($0, isGiven: true) : $0
            }
            store = origin.store(kept + certificates.map { overlay.anchor(TrustAnchor($0), isGiven: true) })
            origin.given.formUnion(added)
        }
    }

    /// Returns anchors with a changed store. Reads the system's anchors if necessary.
    /// - Parameter unavailable: the change to apply if the anchors can't be read. By default, nothing changes.
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

    /// Returns other anchors to use instead of these. Certificates that the lists of these anchors distrust stay
    /// distrusted.
    ///
    /// If the list named by the environment can't be read, returns these anchors, which then can't be used.
    package func replaced(by anchors: TrustAnchors) -> TrustAnchors {
        let distrusted: [DistrustedCertificates]
        do throws(SystemAnchorsError) { distrusted = try self.distrusted() } catch { return self }
        guard !distrusted.isEmpty else { return anchors }
        var replaced = anchors
        replaced.furtherDistrusted = anchors.furtherDistrusted.adding(distrusted)
        return replaced
    }

    /// Returns the certificates that no path may contain because a root program's list distrusts them.
    /// - Throws: ``SystemAnchorsError`` if the list named by the environment can't be read.
    func distrusted() throws(SystemAnchorsError) -> [DistrustedCertificates] {
        switch source {
        case .system: return try SystemAnchors.sharedDistrust().adding(furtherDistrusted)
        case .store(let store, _): return store.distrusted.adding(furtherDistrusted)
        case .unavailable(let error):
            guard error.listError == nil else { throw error }
            return furtherDistrusted
        }
    }

    /// Whether these are exactly the system's anchors, without conditions other than those of the environment's list.
    var isSystem: Bool { if case .system = source { furtherDistrusted.isEmpty } else { false } }

    /// Whether these include the system's anchors, so that warnings about the system's store apply.
    var includesSystem: Bool {
        switch source {
        case .system, .unavailable: true
        case .store(_, let origin): origin.includesSystem
        }
    }

    /// Whether both use the same store object. Two stores with equal anchors are not the same.
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
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed but can't be read.
    public var certificates: [Certificate] {
        get throws(SystemAnchorsError) { try store().anchors.map(\.certificate) }
    }

    /// The number of certificates.
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed but can't be read.
    public var count: Int {
        get throws(SystemAnchorsError) { try store().count }
    }

    /// The lists that apply to the anchors, including the one that the environment names: `Mozilla, 2026-06-13`.
    public var lists: [String] {
        switch source {
        case .system: system?.overlays ?? []
        case .store(_, let origin): origin.overlay.layers.map(\.list.source)
        case .unavailable: []
        }
    }

    /// The system's store if it is part of these anchors. Nil if it isn't part of them or can't be read.
    var system: SystemAnchors? {
        switch source {
        case .system: try? SystemAnchors.shared()
        case .store(_, let origin): origin.system
        case .unavailable: nil
        }
    }
}
