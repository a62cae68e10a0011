// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The manifest of revocation filters that a signed pin list contains.
///
/// It contains the names, sizes and SHA-256 digests of the filter files. The digests vouch for the files, whatever
/// their source.
///
/// ```json
/// "filters": "BASE64URL of the exact bytes of a manifest"
/// ```
/// Like denied keys, it replaces the manifest in the previous list. A pin list without this member has no filters.
/// After a client has accepted a manifest, it accepts no older one, even after a list without filters or an app update.
/// An updated app remembers only lists that the keys in its built-in list have signed. A release that changes the keys
/// forgets lists that the previous keys have signed.
package struct PinListFilters: Sendable, Hashable {
    /// The manifest.
    package let manifest: RevocationFilterManifest

    /// Reads a manifest.
    /// - Throws: ``PinListError`` for bytes that aren't a manifest.
    init(json: [UInt8]) throws(PinListError) {
        do throws(RevocationFilterFileError) {
            manifest = try RevocationFilterManifest(json, name: "filters")
        } catch {
            throw PinListError(.pinListFiltersInvalid, "\(error)")
        }
    }

    /// Reads the payload's member.
    init(base64URL text: String) throws(PinListError) {
        guard text.utf8.count <= RevocationFilterManifest.maximumSize / 3 * 4 + 4 else {
            throw PinListError(
                .pinListTooLarge, "a manifest of filters over \(RevocationFilterManifest.maximumSize) bytes")
        }
        guard let bytes = Base64URL.decode(text) else {
            throw PinListError(.pinListInvalid, "filters is not base64url")
        }
        try self.init(json: bytes)
    }

    /// The payload's member.
    var member: String { "\"\(Base64URL.encode(manifest.json))\"" }

    /// Checks that this manifest isn't older than the newest one the client has accepted.
    func check(after newest: Time?) throws(PinListError) {
        guard let newest, manifest.date < newest else { return }
        throw PinListError(
            .pinListRollback, "filters dated \(manifest.date), but filters dated \(newest) were in force",
            at: "filters",
            expected: .time(newest), found: .time(manifest.date))
    }
}
