// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import PKIX
import ServerTrust

/// The version of the file that a partial file belongs to. It is stored next to the partial file.
struct DownloadNote: Sendable, Hashable {
    /// The SHA-256 digest of the URL. It isn't the URL itself because the query may contain a secret.
    let url: String
    /// The strong entity tag.
    let tag: String
    /// The size of the whole file in bytes. Nil if the server didn't send it.
    let totalBytes: Int?

    private static let firstLine = "servertrust-download 1"
    private static let maximumSize = 4096

    init(url: String, tag: String, totalBytes: Int?) {
        self.url = Self.digest(ofURL: url)
        self.tag = tag
        self.totalBytes = totalBytes
    }

    static func digest(ofURL url: String) -> String { Hex.encode(Digests.sha256(Array(url.utf8))) }

    /// - Returns: nil if there is no note, if it can't be read, or if others may have written it. The download then
    ///   starts again.
    init?(readFrom path: String) {
        guard let status = try? FileStatus(ofFile: path), status.isOwnRegularFile, !status.isWritableByOthers,
            let bytes = try? AtomicFile(path).read(maximumSize: Self.maximumSize, forOwnerAlone: true)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == Self.firstLine, lines[4].isEmpty else { return nil }
        let total = Int(lines[3])
        guard lines[3] == "-" || total.map({ $0 >= 0 }) ?? false else { return nil }
        self.url = String(lines[1])
        self.tag = String(lines[2])
        self.totalBytes = total
    }

    func write(to path: String) throws(SystemError) {
        let total = totalBytes.map { "\($0)" } ?? "-"
        let text = "\(Self.firstLine)\n\(url)\n\(tag)\n\(total)\n"
        try ReplacementFile(Array(text.utf8), for: path, suffix: ".new", mode: .secret, replacesRemnant: true).replace()
    }
}

#endif
