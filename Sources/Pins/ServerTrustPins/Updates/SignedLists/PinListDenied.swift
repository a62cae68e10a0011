// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The lists of denied certificates that a signed pin list contains.
///
/// ```json
/// "denied": ["BASE64URL of the exact bytes of a list"]
/// ```
/// Like denied keys, they replace all lists in the previous pin list. A pin list without this member denies no
/// certificates.
package struct PinListDenied: Sendable, Hashable {
    /// The bytes of the lists.
    package let lists: [[UInt8]]
    /// The entries of all lists.
    package let certificates: DeniedList

    /// The maximum number of lists.
    private static let maximumCount = 16
    /// The maximum total size of all lists, in bytes.
    private static let maximumSize = 4 << 20

    /// Reads lists.
    /// - Throws: ``PinListError`` for bytes that aren't a list, or for more bytes or lists than clients accept.
    init(_ lists: [[UInt8]]) throws(PinListError) {
        guard lists.count <= Self.maximumCount, lists.reduce(0, { $0 + $1.count }) <= Self.maximumSize else {
            throw PinListError(
                .pinListTooLarge,
                "denied has over \(Self.maximumCount) lists, or over \(Self.maximumSize) bytes in total")
        }
        var all: DeniedList?
        for (index, list) in lists.enumerated() {
            do throws(DeniedListError) {
                all = .union(all, try DeniedList(list))
            } catch {
                throw PinListError(.pinListDeniedInvalid, "denied[\(index)]: \(error)", at: "denied[\(index)]")
            }
        }
        guard let all else { throw PinListError(.pinListDeniedInvalid, "denied is empty, expected at least one list") }
        self.lists = lists
        self.certificates = all
    }

    /// Reads the payload's member.
    init(base64URL texts: [String]) throws(PinListError) {
        guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumSize / 3 * 4 + 4 * Self.maximumCount else {
            throw PinListError(.pinListTooLarge, "denied has over \(Self.maximumSize) bytes in total")
        }
        var lists: [[UInt8]] = []
        for (index, text) in texts.enumerated() {
            guard let bytes = Base64URL.decode(text) else {
                throw PinListError(.pinListInvalid, "denied[\(index)] is not base64url", at: "denied[\(index)]")
            }
            lists.append(bytes)
        }
        try self.init(lists)
    }

    /// The payload's member.
    var member: String { "[" + lists.map { "\"\(Base64URL.encode($0))\"" }.joined(separator: ",") + "]" }
}

extension DeniedList {
    /// Returns the denied keys and lists of a pin list, or nil for none.
    package static func union(_ keys: Set<SPKIPin>, _ lists: PinListDenied?) -> DeniedList? {
        .union(keys.isEmpty ? nil : DeniedList(keys: keys), lists?.certificates)
    }
}
