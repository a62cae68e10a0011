// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// The JSON of `explain`: one object for each code.
///
/// Error codes have `meaning` and `remedies` instead of the keys of a failure.
enum ExplainJSON {
    /// Returns the array.
    /// - Parameter matches: the messages that a search found, or nil without a search.
    static func bytes(_ codes: [ExplainedCode], matches: [MessageSearch.Match]? = nil) -> [UInt8] {
        JSONWriter.answer(of: codes) { json, code in
            let found = matches?.filter { $0.message.names.contains(code.guide.name) }.map {
                fields(of: $0.message, form: $0.form)
            }
            json.members(code.failure.map { fields(of: $0, code.guide) } ?? fields(ofError: code.guide))
            json.members(["matches": found.map { .objects($0) }])
        }
    }

    private static func fields(ofError guide: Book.Entry) -> ReportFields {
        ["code": .text(guide.name), "meaning": .text(guide.meaning), "remedies": .texts(guide.remedies)]
    }

    private static func fields(of code: TrustFailure.Code, _ guide: Book.Entry) -> ReportFields {
        let numbers = code.appleErrorNumbers
        let facts: ReportFields = [
            "code": .text(code.name), "severity": .text(code.severity.rawValue), "rank": .number(code.rank),
            "strictOnly": .flag(code.isStrictOnly), "message": .text(code.message), "example": .text(guide.example),
            "explanation": .text(code.explanation), "source": .text(guide.source),
            "urlError": .number(numbers.urlErrorCode), "urlErrorName": .text(numbers.urlErrorName),
            "secureTransportStatus": .number(Int(numbers.secureTransportStatus)),
            "secureTransportName": .text(numbers.secureTransportName),
            "securityStatus": .number(Int(numbers.securityStatus)), "securityName": .text(numbers.securityName),
            "demonstration": .text(CodeDemonstration.of(code)?.commandLine),
        ]
        let help: ReportFields = [
            "meaning": .text(guide.meaning), "sign": .text(guide.sign), "causes": .texts(guide.causes),
            "serverRemedies": .texts(guide.remedies), "customization": .fields(fields(of: guide.customization)),
            "never": .texts(guide.never), "otherTools": .objects(ForeignMessages.of(code).map { fields(of: $0) }),
        ]
        return facts + help
    }

    private static func fields(of customization: GuideCustomization) -> ReportFields {
        switch customization {
        case .change(let text, let snippet):
            ["text": .text(text), "snippet": .text(snippet.name), "swift": .text(snippet.code)]
        case .none(let reason): ["noneBecause": .text(reason)]
        }
    }

    private static func fields(of message: ForeignMessage, form: String? = nil) -> ReportFields {
        [
            "tool": .text(message.tool), "message": .text(form ?? message.forms[0]), "forms": .texts(message.forms),
            "codes": .texts(message.names), "source": .text(message.source), "note": .text(message.note),
        ]
    }
}
