// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// An event from a ``PinStore``. Future versions may add cases, so a `switch` needs a `default`.
public enum PinStoreEvent: Sendable, Hashable {
    /// A different list is in force. Clients with the store's manager evaluate their open connections again.
    case listReplaced(PinList)
    /// The store didn't accept a document. The current list stays in force.
    case documentRefused(PinListError)
    /// The file on disk is cut off, changed, or written by another app. The store ignores it. The newest list that this
    /// process has verified stays in force, or the built-in one.
    case fileRefused(PinListError)
    /// Revocation filters are missing from the store's folder, or differ from the manifest in the list in force. The
    /// previous filters stay in force.
    case filtersRefused(RevocationFilterFileError)
    /// A download failed. The string is human-readable.
    case downloadFailed(String)
}

extension PinStoreEvent: CustomStringConvertible {
    /// A human-readable description of the event. Its wording may change.
    public var description: String {
        switch self {
        case .listReplaced(let list): "in force: \(list)"
        case .documentRefused(let error): "refused: \(error)"
        case .fileRefused(let error): "stored file refused: \(error)"
        case .filtersRefused(let error): "filters refused: \(error)"
        case .downloadFailed(let text): "download failed: \(clipped(text))"
        }
    }
}
