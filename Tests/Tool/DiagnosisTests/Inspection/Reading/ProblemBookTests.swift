// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import Diagnosis

@Suite("The book of problems in files")
struct ProblemBookTests {
    @Test("Every code has a text, and every text belongs to a code")
    func codes() {
        let names = InspectionProblem.texts.entries.map { String($0.name.prefix { $0 != " " }) }
        #expect(Set(names) == Set(InspectionProblem.Code.allCases.map(\.rawValue)))
        #expect(InspectionProblem.texts.entries.allSatisfy { !$0["words"].isEmpty })
    }

    @Test("The first bytes of files are hexadecimal, and the first characters are quoted and lowercase")
    func beginnings() {
        for entry in InspectionProblem.texts.entries {
            for bytes in entry.all("bytes") { #expect(Hex.decode(bytes)?.isEmpty == false, "\(entry.name)") }
            for text in entry.all("start") + entry.all("within") {
                #expect(text.count > 2 && text.first == "\"" && text.last == "\"", "\(entry.name)")
                #expect(text == text.lowercased(), "\(entry.name)")
            }
        }
    }

    @Test("A text contains the kind of object and the given values")
    func values() {
        let problem = InspectionProblem(.pemEndMismatch, ["label": "A", "end": "{label}"], kind: .certificate)
        #expect(problem.text == "a certificate that begins as A, but ends as {label}")
        #expect(problem.remedy == "copy the object again: it contains parts of two objects")
        #expect(InspectionProblem(.pemEmpty).text == "an object without content between BEGIN and END")
        // A code with several texts, and a variant without its own text.
        #expect(InspectionProblem(.zip, of: "empty").text == "an empty ZIP archive")
        #expect(InspectionProblem(.zip, of: "full") == InspectionProblem(.zip))
    }
}
