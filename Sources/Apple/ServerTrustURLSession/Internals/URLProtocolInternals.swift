// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    // This file writes into a private dictionary of Foundation's. Foundation (`completeTask` in URLSessionTask.swift) takes the file of every
    // download from `URLProtocol.properties`: for the delegate, for a completion handler, and for `download(for:)`, which has a completion
    // handler of Foundation's. Each of the three needs the write:
    //
    // * Only Foundation ends a task: it sets the state and removes the task from its session. Calling delegate or handler from here
    //   would leave the task open, and the only other end is an error.
    // * Foundation's own protocol classes set the file after a transfer of libcurl's, and at no other time.
    // * `Mirror` is read-only, and Swift makes no key paths to the members of a class at run time.
    //
    // Documentation/Upstream.md has the change that makes this file needless.

    /// The property of a `URLProtocol` in which Foundation looks for the file of a download.
    ///
    /// Found by the runtime's own metadata, by name and type, and tried out on a separate instance before its first use. If it isn't as
    /// expected, nothing is written, and download tasks are refused before anything is sent.
    enum URLProtocolInternals {
        /// Hands Foundation the file of a download. Called on the task's own queue, before `urlProtocolDidFinishLoading`.
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

        /// Proof of sendability: constant, and a type without isolation.
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

        /// Whether a file that is set is the one that reflection sees then.
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

    /// `[URLProtocol._PropertyKey: Any]`, whose keys Foundation keeps to itself.
    private protocol PropertyTable {
        /// Whether there is a key for the file.
        static var hasFile: Bool { get }
        /// - Parameter address: of a value of this very type.
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
