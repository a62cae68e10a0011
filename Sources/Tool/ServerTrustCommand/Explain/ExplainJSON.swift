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
        var json = JSONWriter(isIndented: true)
        json.array(of: codes) { json, code in
            json.object { json in
                guard let failure = code.failure else { return writeError(code.guide, &json) }
                write(failure, code.guide, matches, &json)
            }
        }
        json.lineFeed()
        return json.bytes
    }

    private static func write(
        _ code: TrustFailure.Code, _ guide: Book.Entry, _ matches: [MessageSearch.Match]?, _ json: inout JSONWriter
    ) {
        writeCode(code, source: guide.source, &json)
        write(guide, &json)
        json.key("otherTools")
        json.array(of: ForeignMessages.of(code)) { write($1, form: nil, &$0) }
        guard let matches else { return }
        json.key("matches")
        json.array(of: matches.filter { $0.message.codes.contains(code) }) { write($1.message, form: $1.form, &$0) }
    }

    private static func writeError(_ guide: Book.Entry, _ json: inout JSONWriter) {
        json.key("schemaVersion")
        json.number(1)
        json.key("code")
        json.string(guide.name)
        json.key("meaning")
        json.string(guide.meaning)
        json.key("remedies")
        json.array(of: guide.remedies) { $0.string($1) }
    }

    private static func writeCode(_ code: TrustFailure.Code, source: String, _ json: inout JSONWriter) {
        json.key("schemaVersion")
        json.number(1)
        json.key("code")
        json.string(code.name)
        json.key("severity")
        json.string(code.severity.rawValue)
        json.key("rank")
        json.number(code.rank)
        json.key("strictOnly")
        json.boolean(code.isStrictOnly)
        json.key("message")
        json.string(code.message)
        json.key("explanation")
        json.string(code.explanation)
        json.key("source")
        json.string(source)
        let numbers = code.appleErrorNumbers
        json.key("urlError")
        json.number(numbers.urlErrorCode)
        json.key("urlErrorName")
        json.string(numbers.urlErrorName)
        json.key("secureTransportStatus")
        json.number(Int(numbers.secureTransportStatus))
        json.key("secureTransportName")
        json.string(numbers.secureTransportName)
        json.key("securityStatus")
        json.number(Int(numbers.securityStatus))
        json.key("securityName")
        json.string(numbers.securityName)
        json.key("demonstration")
        json.string(CodeDemonstration.of(code)?.commandLine)
    }

    private static func write(_ guide: Book.Entry, _ json: inout JSONWriter) {
        json.key("meaning")
        json.string(guide.meaning)
        json.key("sign")
        json.string(guide.sign)
        json.key("causes")
        json.array(of: guide.causes) { $0.string($1) }
        json.key("serverRemedies")
        json.array(of: guide.remedies) { $0.string($1) }
        json.key("customization")
        json.object { json in
            switch guide.customization {
            case .change(let text, let snippet):
                json.key("text")
                json.string(text)
                json.key("snippet")
                json.string(snippet.name)
                json.key("swift")
                json.string(snippet.code)
            case .none(let reason):
                json.key("noneBecause")
                json.string(reason)
            }
        }
        json.key("never")
        json.array(of: guide.never) { $0.string($1) }
    }

    private static func write(_ message: ForeignMessage, form: String?, _ json: inout JSONWriter) {
        json.object { json in
            json.key("tool")
            json.string(message.tool)
            json.key("message")
            json.string(form ?? message.forms[0])
            json.key("forms")
            json.array(of: message.forms) { $0.string($1) }
            json.key("codes")
            json.array(of: message.codes) { $0.string($1.name) }
            json.key("source")
            json.string(message.source)
            json.key("note")
            json.string(message.note)
        }
    }
}
