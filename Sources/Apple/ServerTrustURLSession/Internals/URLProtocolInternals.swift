// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    /// The property of a `URLProtocol` in which Foundation looks for the file of a download. Without it a download task has no file, and one with a
    /// delegate ends the process.
    ///
    /// Found by the runtime's own metadata, by name and type, and tried out on an instance of its own before its first use. If it isn't as
    /// expected, nothing is written, and download tasks are refused.
    enum URLProtocolInternals {
        /// Hands Foundation the file of a download. Called on the task's own queue, before `urlProtocolDidFinishLoading`.
        static func setTemporaryFile(
            _ file: URL, of urlProtocol: URLProtocol
        ) throws(URLSessionTaskInternals.Unreadable) {
            guard let properties else { throw URLSessionTaskInternals.Unreadable(property: "properties") }
            properties.set(file, of: urlProtocol)
        }

        /// Whether the property is as expected.
        static var isReadable: Bool { properties != nil }

        /// Proof of sendability: constant, and a type without isolation.
        private struct Properties: @unchecked Sendable {
            let offset: Int
            let table: any PropertyTable.Type

            func set(_ file: URL, of urlProtocol: URLProtocol) {
                table.set(file, at: Unmanaged.passUnretained(urlProtocol).toOpaque() + offset)
            }
        }

        private static let properties: Properties? = {
            var found: Properties?
            // `_EachFieldOptions.classType`, which isn't declared as constant.
            _ = _forEachField(of: URLProtocol.self, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
                guard String(cString: name) == "properties" else { return true }
                if let table = type as? any PropertyTable.Type, table.hasFile, offset > 0,
                    offset % MemoryLayout<UnsafeRawPointer>.alignment == 0
                {
                    found = Properties(offset: offset, table: table)
                }
                return false
            }
            guard let found, works(found) else { return nil }
            return found
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
            Mirror(reflecting: urlProtocol).children.first { $0.label == "properties" }?.value
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
