// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A filter manifest in upki's format.
struct TestFilterManifest: Sendable {
    /// The creation time, in seconds since 1970.
    var date: Int64
    /// The names and contents of the files.
    var files: [(name: String, bytes: [UInt8])]

    /// Creates a manifest.
    init(date: Int64 = TestAuthority.now.secondsSinceEpoch, files: [(name: String, bytes: [UInt8])]) {
        self.date = date
        self.files = files
    }

    /// Returns the manifest's entry for a file.
    package static func entry(_ name: String, _ bytes: [UInt8]) -> String {
        #"{"filename":"\#(name)","size":\#(bytes.count),"hash":"\#(Hex.encode(Digests.sha256(bytes)))"}"#
    }

    /// The manifest's JSON.
    var json: String {
        let entries = files.map { Self.entry($0.name, $0.bytes) }.joined(separator: ",")
        return #"{"generated_at":\#(date),"comment":"a test","filters":[\#(entries)]}"#
    }
}

#endif
