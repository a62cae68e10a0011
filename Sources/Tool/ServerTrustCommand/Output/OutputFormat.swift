// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The format of a report.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json

    /// Writes a report to standard output in this format.
    func write(text: (Palette) -> String, json: () -> [UInt8]) throws {
        switch self {
        case .text: try StandardStream.output.write(Array(text(Palette.forStandardOutput()).utf8))
        case .json: try StandardStream.output.write(json())
        }
    }
}

extension JSONWriter {
    /// Returns an indented JSON array with an object for each element. Each object begins with its schema version.
    static func answer<Element>(
        of elements: some Sequence<Element>, schemaVersion: Int = 1, _ members: (inout JSONWriter, Element) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array(of: elements) { json, element in
            json.object { json in
                json.member("schemaVersion", schemaVersion)
                members(&json, element)
            }
        }
        json.lineFeed()
        return json.bytes
    }

    /// Returns an indented JSON array with one object, which begins with its schema version.
    static func answer(schemaVersion: Int = 1, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        answer(of: CollectionOfOne(()), schemaVersion: schemaVersion) { json, _ in members(&json) }
    }
}
