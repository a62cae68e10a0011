import ServerTrust

/// The answer of `servertrust verify`, for people and for programs.
struct VerifyReport {
    /// What was asked.
    struct Question {
        var host: Hostname?
        var time: Time
        var policy: ValidationPolicy
        var pins: [SPKIPin]
    }

    let question: Question
    let validation: PathValidation
    /// What was left out of the input.
    let warnings: [String]

    /// What a trusted verdict doesn't say.
    private var notChecked: [String] { (question.host == nil ? ["identity"] : []) + ["revocation"] }

    private var result: TrustResultType {
        switch validation {
        case .valid: .unspecified
        case .rejected(let rejection): TrustResultType(rejection)
        }
    }

    /// The certificates to show: the validated path, or the best candidate.
    private var path: [Certificate] {
        switch validation {
        case .valid(let path): path.certificates
        case .rejected(let rejection): rejection.best.certificates
        }
    }

    /// Whether the last certificate of ``path`` is an anchor.
    private var reachesAnchor: Bool { validation.rejection?.best.reachesAnchor ?? true }
}

/// A certificate's place in a path of `count`.
private func role(_ index: Int, of count: Int, reachesAnchor: Bool) -> TrustFailure.Role {
    index == 0 ? .leaf : reachesAnchor && index == count - 1 ? .anchor : .intermediate
}

// MARK: - Text

extension VerifyReport {
    /// Verdict, path, everything that is wrong with the best candidate, and the headlines of the others.
    func text(_ palette: Palette) -> String {
        var lines: [String] = []
        let asked = printable(question.host?.description ?? "the chain")
        let verdict = result.isTrusted ? palette.good("OK") + "    " : palette.bad("FAIL") + "  "
        let policy = question.policy
        lines.append(
            verdict + palette.bold("\(asked) is \(result.isTrusted ? "" : "not ")trusted at \(question.time)"))
        lines.append(
            "      result \(result.rawValue), profile \(policy.profile.rawValue)\(policy.isStrict ? " strict" : ""), "
                + "purpose \(policy.purpose.rawValue), not checked: \(notChecked.joined(separator: ", "))")
        lines.append("")
        lines.append(result.isTrusted ? "path" : reachesAnchor ? "best path" : "best path (ends without an anchor)")
        for (index, certificate) in path.enumerated() { lines += describe(certificate, at: index, palette) }
        if let rejection = validation.rejection {
            lines.append("")
            for (index, failure) in rejection.failures.enumerated() {
                lines.append(
                    palette.bad("error:") + " \(printable(failure.message)) " + palette.faint("[\(failure.code)]"))
                // Several certificates may fail for the same reason; what to do about it is said once.
                let next = rejection.failures.dropFirst(index + 1).first
                if next?.code != failure.code { lines.append("hint:  \(failure.code.explanation)") }
            }
            lines += summary(of: rejection.paths.dropFirst(), palette)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func describe(_ certificate: Certificate, at index: Int, _ palette: Palette) -> [String] {
        let role = role(index, of: path.count, reachesAnchor: reachesAnchor).rawValue
        let label = "  \(index) \(role)".padded(to: 17)
        let indent = String(repeating: " ", count: 17)
        var lines = [label + palette.bold(printable(certificate.description))]
        lines.append(indent + "issuer  \(printable(certificate.issuer.description))")
        lines.append(indent + "valid   \(certificate.notBefore) to \(certificate.notAfter)")
        lines.append(
            indent + palette.faint("sha256  \(Hex.encode(certificate.sha256.prefix(8)))…  pin \(SPKIPin(certificate))"))
        return lines
    }

    /// Others than the best, a line each, with the certificates by subject and what is wrong first of all.
    private func summary(of others: ArraySlice<RejectedPath>, _ palette: Palette) -> [String] {
        guard !others.isEmpty else { return [] }
        let shown = others.prefix(5)
        var lines = ["", others.count == 1 ? "1 other path was rejected" : "\(others.count) other paths were rejected"]
        for path in shown {
            let headline = path.failures.first
            let end = path.certificates.last.map { printable($0.description) } ?? ""
            lines.append(
                "  \(path.certificates.count) certificates to \(end): \(printable(headline?.message ?? "")) "
                    + palette.faint("[\(headline?.code.name ?? "")]"))
        }
        if others.count > shown.count {
            lines.append("  and \(others.count - shown.count) more; --format json has them all")
        }
        return lines
    }
}

// MARK: - JSON

extension VerifyReport {
    /// An array of one answer.
    func json() -> [UInt8] {
        var json = JSONWriter(isIndented: true)
        json.array { json in json.object { writeMembers(&$0) } }
        json.lineFeed()
        return json.bytes
    }

    private func writeMembers(_ json: inout JSONWriter) {
        json.key("schemaVersion")
        json.number(1)
        json.key("verdict")
        json.string(result.isTrusted ? "trusted" : "rejected")
        json.key("result")
        json.string(result.rawValue)
        json.key("host")
        json.string(question.host?.description)
        json.key("time")
        json.string(question.time.description)
        json.key("profile")
        json.string(question.policy.profile.rawValue)
        json.key("purpose")
        json.string(question.policy.purpose.rawValue)
        json.key("strict")
        json.boolean(question.policy.isStrict)
        json.key("pins")
        json.array(of: question.pins) { $0.string($1.description) }
        json.key("notChecked")
        json.array(of: notChecked) { $0.string($1) }
        json.key("path")
        write(path, reachesAnchor: reachesAnchor, &json)
        json.key("failures")
        json.array(of: validation.rejection?.failures ?? []) { write($1, &$0) }
        json.key("otherPaths")
        json.array(of: validation.rejection?.paths.dropFirst() ?? []) { json, path in
            json.object { json in
                json.key("path")
                write(path.certificates, reachesAnchor: path.reachesAnchor, &json)
                json.key("failures")
                json.array(of: path.failures) { write($1, &$0) }
            }
        }
        json.key("warnings")
        json.array(of: warnings) { $0.string($1) }
    }

    private func write(_ path: [Certificate], reachesAnchor: Bool, _ json: inout JSONWriter) {
        json.array(of: path.enumerated()) { json, member in
            let (index, certificate) = member
            json.object { json in
                json.key("index")
                json.number(index)
                json.key("role")
                json.string(role(index, of: path.count, reachesAnchor: reachesAnchor).rawValue)
                json.key("subject")
                json.string(certificate.subject.description)
                json.key("issuer")
                json.string(certificate.issuer.description)
                json.key("serialNumber")
                json.string(certificate.serialNumber.description)
                json.key("notBefore")
                json.string(certificate.notBefore.description)
                json.key("notAfter")
                json.string(certificate.notAfter.description)
                json.key("sha256")
                json.string(Hex.encode(certificate.sha256))
                json.key("pin")
                json.string(SPKIPin(certificate).description)
            }
        }
    }

    private func write(_ failure: TrustFailure, _ json: inout JSONWriter) {
        json.object { json in
            json.key("code")
            json.string(failure.code.name)
            json.key("severity")
            json.string(failure.code.severity.rawValue)
            json.key("certificate")
            json.number(failure.certificate)
            json.key("role")
            json.string(failure.role?.rawValue)
            json.key("expected")
            json.string(failure.expected?.description)
            json.key("found")
            json.string(failure.found?.description)
            json.key("message")
            json.string(failure.message)
            json.key("hint")
            json.string(failure.code.explanation)
        }
    }
}
