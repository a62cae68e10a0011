// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking

// This file writes to a private dictionary of Foundation. Foundation (`completeTask` in URLSessionTask.swift) reads
// the file of every download from `URLProtocol.properties`: for the delegate, for a completion handler, and for
// `download(for:)`, which uses a completion handler of Foundation. Each of the three needs the write:
//
// * Only Foundation can end a task: it sets the state and removes the task from its session. If this package called
//   the delegate or the handler itself, the task would stay open, and only an error could then end it.
// * Foundation's own protocol classes only set the file after a libcurl transfer.
// * `Mirror` is read-only, and Swift can't create key paths to the members of a class at run time.
//
// Documentation/Upstream.md describes the change that would make this file unnecessary.

/// The `URLProtocol` property where Foundation looks for the file of a download.
///
/// This type finds the property in the runtime's metadata, by name and type. Before the first use, it tries the
/// property out on a separate instance. If the property isn't as expected, nothing is written, and download tasks
/// are refused before anything is sent.
enum URLProtocolInternals {
    /// Passes the file of a download to Foundation. Call this method on the task's own queue, before
    /// `urlProtocolDidFinishLoading`.
    static func setTemporaryFile(
        _ file: URL, of urlProtocol: URLProtocol
    ) throws(URLSessionTaskInternals.Unreadable) {
        guard let properties else { throw URLSessionTaskInternals.Unreadable(property: name) }
        properties.set(file, of: urlProtocol)
    }

    /// The name of the property.
    static let name = "properties"

    /// Whether the property is as expected.
    static var isReadable: Bool { properties != nil }

    /// Proof of sendability: constant; the type has no isolation.
    private struct Properties: @unchecked Sendable {
        let offset: Int
        let table: any PropertyTable.Type

        func set(_ file: URL, of urlProtocol: URLProtocol) {
            withExtendedLifetime(urlProtocol) {
                table.set(file, at: Unmanaged.passUnretained(urlProtocol).toOpaque() + offset)
            }
        }
    }

    private static let properties: Properties? = {
        guard let member = StoredMember(name, of: URLProtocol.self),
            let table = member.type as? any PropertyTable.Type, table.hasFile
        else { return nil }
        let found = Properties(offset: member.offset, table: table)
        return works(found) ? found : nil
    }()

    /// Whether reflection sees a file after it was set.
    private static func works(_ properties: Properties) -> Bool {
        let file = URL(fileURLWithPath: "/dev/null")
        let trial = URLProtocol(request: URLRequest(url: file), cachedResponse: nil, client: nil)
        guard value(of: trial) as? any PropertyTable != nil else { return false }
        properties.set(file, of: trial)
        return (value(of: trial) as? any PropertyTable)?.file == file
    }

    private static func value(of urlProtocol: URLProtocol) -> Any? {
        Mirror(reflecting: urlProtocol).children.first { $0.label == name }?.value
    }
}

/// The type of the property, `[URLProtocol._PropertyKey: Any]`. Foundation's key type is private.
private protocol PropertyTable {
    /// Whether the key type has a key for the file.
    static var hasFile: Bool { get }
    /// - Parameter address: the address of a value of exactly this type.
    static func set(_ file: URL, at address: UnsafeMutableRawPointer)
    var file: URL? { get }
}

extension Dictionary: PropertyTable where Key: RawRepresentable, Key.RawValue == String, Value == Any {
    private static var fileKey: Key? { Key(rawValue: "temporaryFileURL") }

    static var hasFile: Bool { fileKey != nil }

    static func set(_ file: URL, at address: UnsafeMutableRawPointer) {
        guard let key = fileKey else { return }
        address.assumingMemoryBound(to: Self.self).pointee[key] = file
    }

    var file: URL? { Self.fileKey.flatMap { self[$0] } as? URL }
}
#endif
