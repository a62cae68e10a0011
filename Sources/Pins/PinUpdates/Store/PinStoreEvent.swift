// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust
import TrustSupport

/// An event of a ``PinStore``. The set grows: a `switch` needs a `default`.
public enum PinStoreEvent: Sendable, Hashable {
    /// Another list is in force. Have clients reevaluate their open connections.
    case listReplaced(PinList)
    /// A document was not accepted; the list in force stays.
    case documentRefused(PinListError)
    /// The file on disk was not written by a store of this app: cut off, changed, or of another app. It is ignored; the newest list that
    /// this process has verified is in force, or the built-in one.
    case fileRefused(PinListError)
    /// Filters of revoked certificates are missing in the store's folder, or differ from the manifest of the list in force. The filters before
    /// stay in force.
    case filtersRefused(RevocationFilterFileError)
    /// A download failed; the text is for people.
    case downloadFailed(String)
}

extension PinStoreEvent: CustomStringConvertible {
    /// The event, for people; its wording may change.
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
