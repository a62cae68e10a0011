// SPDX-License-Identifier: Apache-2.0

import PinModel

/// An event of a ``PinStore``. The set grows: a `switch` needs a `default`.
public enum PinStoreEvent: Sendable, Hashable {
    /// Another list is in force. Have clients reevaluate their open connections.
    case listReplaced(PinList)
    /// A document was not accepted; the list in force stays.
    case documentRefused(PinListError)
    /// The file on disk was not written by a store of this app: cut off, changed, or of another app. It is ignored; the newest list that
    /// this process has verified is in force, or the built-in one.
    case fileRefused(PinListError)
    /// A download failed; the text is for people.
    case downloadFailed(String)
}
