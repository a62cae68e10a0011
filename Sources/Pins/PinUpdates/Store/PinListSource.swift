// SPDX-License-Identifier: Apache-2.0

import PinModel

/// A source of signed pin lists: a URL, a file of a management system, a message of the app's own.
///
/// <doc:DownloadingListsAndReporting> shows one over HTTP.
///
/// The client for downloads must not be one that the store's lists lock out: give it a manager of its own, with pins of the host that
/// serves the lists, or without pins. A document is trusted for its signatures alone, so an attacker of a source without pins can delay
/// a list and not change it. Use such a source for documents only: without cookies, tokens, or redirects to hosts that have them.
public protocol PinListSource: Sendable {
    /// Returns the newest document as downloaded; documents over ``SignedPinList/maximumSize`` bytes are not accepted.
    func document() async throws -> [UInt8]
}
