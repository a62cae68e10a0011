// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What trust ends in: the system's anchors, others instead, or others beside them.
///
/// Made once and kept: the store inside is shared by every trust object that uses it, with its prepared keys.
public struct TrustAnchors: Sendable {
    private enum Source {
        case system
        case systemAdding(AnchorStore)
        case store(AnchorStore)
        case unavailable(SystemAnchorsError)
    }

    private let source: Source

    /// The operating system's anchors, read when they are first asked for; see ``SystemAnchors``.
    ///
    /// If there are none, an evaluation ends as ``TrustResultType/otherError``: a missing store is neither empty nor permissive.
    public static let system = TrustAnchors(.system)

    /// These and no others; with an empty list nothing is trusted.
    public static func only(_ certificates: [Certificate]) -> TrustAnchors {
        TrustAnchors(AnchorStore.only(certificates))
    }

    /// The operating system's anchors and these. The system's are read now.
    public static func system(adding certificates: [Certificate]) -> TrustAnchors {
        do throws(SystemAnchorsError) {
            return TrustAnchors(.systemAdding(try AnchorStore.system(adding: certificates)))
        } catch {
            return TrustAnchors(.unavailable(error))
        }
    }

    /// A store that was made before.
    public init(_ store: AnchorStore) { self.source = .store(store) }

    private init(_ source: Source) { self.source = source }

    /// The anchors.
    /// - Throws: ``SystemAnchorsError`` if the system's were asked for and there are none.
    public func store() throws(SystemAnchorsError) -> AnchorStore {
        switch source {
        case .system: return try SystemAnchors.shared().store
        case .systemAdding(let store), .store(let store): return store
        case .unavailable(let error): throw error
        }
    }

    /// Whether they are the system's and no others.
    var isSystem: Bool { if case .system = source { true } else { false } }

    /// Whether the system's are among them, and so its warnings matter.
    var includesSystem: Bool {
        switch source {
        case .system, .systemAdding, .unavailable: true
        case .store: false
        }
    }

    /// Whether both are the same store; another one with the same anchors is not.
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
