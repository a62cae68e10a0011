// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The anchors that a path may end in: the system's, others instead of them, or others in addition.
///
/// Create a value once and keep it: every trust object that uses it shares the store, with its prepared keys.
public struct TrustAnchors: Sendable {
    private enum Source {
        case system
        case systemAdding(AnchorStore)
        case store(AnchorStore)
        case unavailable(SystemAnchorsError)
    }

    private let source: Source

    /// The operating system's anchors, read at the first use; see ``SystemAnchors``.
    ///
    /// If there are none, an evaluation ends as ``TrustResultType/otherError``: a missing store is neither empty nor permissive.
    public static let system = TrustAnchors(.system)

    /// Returns anchors that are these certificates alone; with an empty list no server is trusted.
    public static func only(_ certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors(AnchorStore.only(certificates))
    }

    /// Returns the operating system's anchors, which are read at once, and further certificates.
    public static func system(adding certificates: [Certificate]) -> TrustAnchors {
        do throws(SystemAnchorsError) {
            return TrustAnchors(.systemAdding(try AnchorStore.system(adding: certificates)))
        } catch {
            return TrustAnchors(.unavailable(error))
        }
    }

    /// Creates anchors from an existing store.
    public init(_ store: AnchorStore) { self.source = .store(store) }

    private init(_ source: Source) { self.source = source }

    /// Returns the store.
    /// - Throws: ``SystemAnchorsError`` if the system's anchors are needed and there are none.
    package func store() throws(SystemAnchorsError) -> AnchorStore {
        switch source {
        case .system: return try SystemAnchors.shared().store
        case .systemAdding(let store), .store(let store): return store
        case .unavailable(let error): throw error
        }
    }

    /// Returns these anchors and further certificates; the same ones if there are none.
    package func adding(_ certificates: [Certificate]) -> TrustAnchors {
        guard !certificates.isEmpty else { return self }
        switch source {
        case .system: return .system(adding: certificates)
        case .systemAdding(let store):
            return TrustAnchors(.systemAdding(AnchorStore(store.anchors + certificates.map(TrustAnchor.init))))
        case .store(let store): return TrustAnchors(AnchorStore(store.anchors + certificates.map(TrustAnchor.init)))
        case .unavailable: return self
        }
    }

    /// Whether these are the system's anchors alone.
    var isSystem: Bool { if case .system = source { true } else { false } }

    /// Whether these include the system's anchors, so that warnings about the system's store apply.
    var includesSystem: Bool {
        switch source {
        case .system, .systemAdding, .unavailable: true
        case .store: false
        }
    }

    /// Whether both are the same store. Two stores with equal anchors are not the same.
    func isSame(as other: TrustAnchors) -> Bool {
        switch (source, other.source) {
        case (.system, .system): true
        case (.store(let one), .store(let another)), (.systemAdding(let one), .systemAdding(let another)):
            one === another
        case (.unavailable(let one), .unavailable(let another)): one == another
        case (.system, _), (.systemAdding, _), (.store, _), (.unavailable, _): false
        }
    }
}
