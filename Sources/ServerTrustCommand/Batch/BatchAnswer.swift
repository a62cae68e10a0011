import ServerTrust

/// One answer of `verify --batch`.
struct BatchAnswer {
    enum Verdict: String {
        case trusted
        case rejected
        case unreadable
    }

    /// More failures of a request, or more warnings, than this tell nobody anything; and an answer is not to be longer than
    /// the question.
    static let maximumCount = 20

    var id: String?
    var verdict: Verdict
    var result: TrustResultType
    /// The validated path, or the best candidate.
    var path: [Certificate] = []
    var failures: [TrustFailure] = []
    var warnings: [String] = []

    /// Appends the answer and its line feed.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("id")
            json.string(id)
            json.key("verdict")
            json.string(verdict.rawValue)
            json.key("result")
            json.string(result.rawValue)
            json.key("path")
            json.array(of: path) { $0.string(Hex.encode($1.sha256)) }
            json.key("failures")
            json.array(of: failures) { json, failure in
                json.object { json in
                    json.key("code")
                    json.string(failure.code.name)
                    json.key("certificate")
                    json.number(failure.certificate)
                    json.key("message")
                    json.string(failure.message)
                }
            }
            if !warnings.isEmpty {
                json.key("warnings")
                json.array(of: warnings) { $0.string($1) }
            }
        }
        json.lineFeed()
    }
}

extension BatchAnswer {
    init(unreadable failures: [TrustFailure], id: String?, warnings: [String] = []) {
        self.init(id: id, verdict: .unreadable, result: .otherError, failures: failures, warnings: warnings)
    }
}
