// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// The manifest of filters of revoked certificates that a signed list of pins carries: their names, sizes and SHA-256 digests, which vouch for
/// files that come by any way.
///
/// ```json
/// "filters": "BASE64URL of the exact bytes of a manifest"
/// ```
/// Like denied keys, it replaces that of the list before; a list of pins without the member has no filters. A client that has taken a manifest
/// takes no older one, even after a list without filters or an update of the app. An updated app remembers lists that its built-in list's keys
/// have signed; a release that changes the keys forgets what the keys before have signed.
package struct PinListFilters: Sendable, Hashable {
    /// The manifest.
    package let manifest: RevocationFilterManifest

    /// Reads a manifest.
    /// - Throws: ``PinListError`` for bytes that are none.
    init(json: [UInt8]) throws(PinListError) {
        do throws(RevocationFilterFileError) {
            manifest = try RevocationFilterManifest(json, name: "filters")
        } catch {
            throw PinListError(.pinListFiltersInvalid, "\(error)")
        }
    }

    /// Reads the member of a payload.
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

    /// The member of a payload.
    var member: String { "\"\(Base64URL.encode(manifest.json))\"" }

    /// Checks that this manifest may come after the newest one that was taken.
    func check(after newest: Time?) throws(PinListError) {
        guard let newest, manifest.date < newest else { return }
        throw PinListError(
            .pinListRollback, "filters of \(manifest.date), and those of \(newest) were in force", at: "filters",
            expected: .time(newest), found: .time(manifest.date))
    }
}
