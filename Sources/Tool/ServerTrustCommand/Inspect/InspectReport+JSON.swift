// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import PKIX
import ServerTrust

extension InspectReport {
    /// Returns an array with an object for each object of the sources, and one for the relation of two objects.
    func json(_ sources: [InspectedSource], _ comparison: ObjectsPage.Relation?) -> [UInt8] {
        var elements: [(inout JSONWriter) -> Void] = sources.flatMap { source in
            source.objects.map { object in { json in write(object, of: source, to: &json) } }
        }
        if let comparison { elements.append(comparison.write) }
        return JSONWriter.answer(of: elements) { $1(&$0) }
    }

    private func write(_ object: InspectedObject, of source: InspectedSource, to json: inout JSONWriter) {
        let description = ObjectDescription(object, at: time).naming(logNames)
        json.member("kind", description.kind)
        json.member("source", printable(source.name))
        json.member("object", object.place.number)
        if fields.isEmpty {
            json.member("line", object.place.line)
            json.member("title", description.title)
        }
        for fact in description.facts where fields.isEmpty || fields.contains(fact.name) { fact.write(to: &json) }
        guard fields.isEmpty else { return }
        // The key of a server's first certificate must sign the handshake.
        let failure = object.place.number == 1 ? source.handshakeFailure : nil
        json.member("problems", description.problems + [failure?.message].compactMap(\.self))
        if let note = source.reusedNumbers[object.place.number] { json.member("reusedSerialNumber", printable(note)) }
        if let code = object.problem?.code.rawValue ?? failure?.code.name { json.member("problemCode", code) }
        if extent == .long { json.objects("details", of: description.details) { $1.write(to: &$0) } }
        if includesDER, !object.shownDER.isEmpty { json.member("der", Base64.encode(object.shownDER)) }
    }
}

extension Fact {
    fileprivate func write(to json: inout JSONWriter) {
        json.key(escaping: name)
        switch value {
        case .text(let text): json.string(text)
        case .number(let number): json.number(number)
        case .flag(let flag): if let flag { json.boolean(flag) } else { json.null() }
        case .list(let list): json.array(of: list) { $0.string($1) }
        }
    }
}

extension Detail {
    /// Writes the members of a detail. This program creates the details and so limits their depth.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("label", label)
        if let value { json.member("value", value) }
        if let oid { json.member("oid", oid) }
        if !members.isEmpty { json.objects("details", of: members) { $1.write(to: &$0) } }
    }
}

extension ObjectsPage.Relation {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("kind", "comparison")
        json.member("first", printable(names.0))
        json.member("second", printable(names.1))
        json.member("relation", result.relation.rawValue)
        json.member("belongTogether", result.belongTogether)
        json.objects("differences", of: result.differences) { json, difference in
            json.member("field", difference.field)
            json.member("first", difference.first)
            json.member("second", difference.second)
        }
    }
}
