// SPDX-License-Identifier: Apache-2.0

/// A source of signed pin lists, such as a URL, a file from a management system, or a message to the app.
///
/// <doc:DownloadingListsAndReporting> shows a source that uses HTTP.
///
/// The store's lists must not be able to lock out the client that downloads them. Give this client its own manager,
/// with pins for the host that serves the lists, or without pins. The store trusts a document only because of its
/// signatures. An attacker of a source without pins can therefore delay a list, but can't change it. Use such a
/// source only for documents: without cookies, tokens, or redirects to hosts that have them.
public protocol PinListSource: Sendable {
    /// Returns the newest document as downloaded. The store doesn't accept documents larger than
    /// ``SignedPinList/maximumSize`` bytes.
    func document() async throws -> [UInt8]
}
