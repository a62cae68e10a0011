// SPDX-License-Identifier: Apache-2.0

import PinModel

/// Where signed pin lists come from: a URL, a file of a management system, a message of one's own.
///
/// <doc:DownloadingListsAndReporting> shows one over HTTP.
///
/// A client that downloads must not be one that the store's own lists lock out: give it a manager of its own, with pins of the
/// host that serves the lists, or with none. A document is believed for its signatures alone, so that a source without pins can
/// delay a list and not change it. Let such a source carry documents and nothing else: no cookies, no tokens, no redirects to
/// where others are.
public protocol PinListSource: Sendable {
    /// The newest document there is, as it was downloaded; at most ``SignedPinList/maximumSize`` bytes count.
    func document() async throws -> [UInt8]
}
