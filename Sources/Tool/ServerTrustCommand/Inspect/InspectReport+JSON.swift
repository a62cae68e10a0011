// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

extension InspectReport {
    private static let schemaVersion = 1

    /// Appends an object for each object of a source.
    func append(_ source: InspectedSource, to json: inout JSONWriter) {
        for object in source.objects { append(object, of: source, to: &json) }
    }

    private func append(_ object: InspectedObject, of source: InspectedSource, to json: inout JSONWriter) {
        let description = ObjectDescription(object, at: time).naming(logNames)
        json.object { json in
            json.key("schemaVersion")
            json.number(Self.schemaVersion)
            json.key("kind")
            json.string(description.kind)
            json.key("source")
            json.string(printable(source.name))
            json.key("object")
            json.number(object.place.number)
            if fields.isEmpty {
                json.key("line")
                json.number(object.place.line)
                json.key("title")
                json.string(description.title)
            }
            for fact in description.facts where fields.isEmpty || fields.contains(fact.name) { append(fact, to: &json) }
            guard fields.isEmpty else { return }
            // The key of a server's first certificate must sign the handshake.
            let failure = object.place.number == 1 ? source.handshakeFailure : nil
            json.key("problems")
            json.array(of: description.problems + [failure?.message].compactMap { $0 }) { $0.string($1) }
            if let code = object.problem?.code.rawValue ?? failure?.code.name {
                json.key("problemCode")
                json.string(code)
            }
            if extent == .long {
                json.key("details")
                append(description.details, to: &json)
            }
            if includesDER, !object.shownDER.isEmpty {
                json.key("der")
                json.string(Base64.encode(object.shownDER))
            }
        }
    }

    private func append(_ fact: Fact, to json: inout JSONWriter) {
        json.key(escaping: fact.name)
        switch fact.value {
        case .text(let text): json.string(text)
        case .number(let number): json.number(number)
        case .flag(let flag): if let flag { json.boolean(flag) } else { json.null() }
        case .list(let list): json.array(of: list) { $0.string($1) }
        }
    }

    /// Appends the lines of a description. This program creates the descriptions and so limits their depth.
    private func append(_ details: [Detail], to json: inout JSONWriter) {
        json.array { json in
            for detail in details {
                json.object { json in
                    json.key("label")
                    json.string(detail.label)
                    if let value = detail.value {
                        json.key("value")
                        json.string(value)
                    }
                    if let oid = detail.oid {
                        json.key("oid")
                        json.string(oid)
                    }
                    if !detail.members.isEmpty {
                        json.key("details")
                        append(detail.members, to: &json)
                    }
                }
            }
        }
    }

    /// Appends the relation of two objects.
    func append(_ comparison: ObjectComparison, _ names: (String, String), to json: inout JSONWriter) {
        json.object { json in
            json.key("schemaVersion")
            json.number(Self.schemaVersion)
            json.key("kind")
            json.string("comparison")
            json.key("first")
            json.string(printable(names.0))
            json.key("second")
            json.string(printable(names.1))
            json.key("relation")
            json.string(comparison.relation.rawValue)
            json.key("belongTogether")
            json.boolean(comparison.belongTogether)
            json.key("differences")
            json.array(of: comparison.differences) { json, difference in
                json.object { json in
                    json.key("field")
                    json.string(difference.field)
                    json.key("first")
                    json.string(difference.first)
                    json.key("second")
                    json.string(difference.second)
                }
            }
        }
    }
}
