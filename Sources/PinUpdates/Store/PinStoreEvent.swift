// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Something that happened to a ``PinStore``. The set grows: a `switch` needs a `default`.
public enum PinStoreEvent: Sendable, Hashable {
    /// Another list is in force. Have clients judge their open connections again.
    case listReplaced(PinList)
    /// A document was offered and not accepted; what was in force is.
    case documentRefused(PinListRefusal)
    /// What is on disk isn't what a store has written: cut off, changed, or of another app. It counts for nothing; the newest list that
    /// this process has verified itself is in force, at least the floor.
    case fileRefused(PinListRefusal)
    /// Nothing could be downloaded, for whatever reason; its text is for people.
    case downloadFailed(String)
}
