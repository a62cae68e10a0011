// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust

/// The roots of this machine, for the `servertrust roots` verbs.
enum RootStore {
    /// Reads the system's store, ignoring a root list in the environment.
    /// - Throws: ``CommandFailure`` if there is no store.
    static func read() throws(CommandFailure) -> SystemAnchors {
        var environment = ProcessInfo.processInfo.environment
        environment[SystemAnchors.overlayVariable] = nil
        return try CommandFailure.of(hint: "name a store with SSL_CERT_FILE") {
            try SystemAnchors(environment: environment)
        }
    }

    /// Returns the store's files in words: the first file, and the number of others.
    static func name(_ system: SystemAnchors) -> String {
        guard let first = system.files.first else { return "the system's store" }
        return printable(first) + (system.files.count > 1 ? " and \(system.files.count - 1) more" : "")
    }
}

extension RootAudit.Root {
    /// The standing and its conditions in words, or nil for a root that is trusted without conditions.
    var words: String? {
        switch standing {
        case .trusted, .unnamed, .administratorsOwn: nil
        case .notListed: "not in the list"
        case .notTrusted:
            "not trusted for TLS" + (distrustedAfter.map { ", distrusted first for leaves issued after \($0)" } ?? "")
        case .conditional: "only " + alternatives.words
        }
    }

    /// Writes the root as an object.
    func write(to json: inout JSONWriter) {
        json.member("sha256", Hex.encode(certificate.sha256))
        json.member("subject", certificate.subject.description)
        json.member("notAfter", certificate.notAfter.description)
        json.member("administratorsOwn", isAdministratorsOwn)
        json.member("standing", standing.rawValue)
        json.objects("conditions", of: alternatives) { $1.write(to: &$0) }
        json.member("distrustedAfter", distrustedAfter?.description)
    }
}

extension [AnchorConstraints] {
    /// The alternatives, in words.
    var words: String {
        printable(prefix(4).map(\.summary).joined(separator: "; or ") + (count > 4 ? "; or \(count - 4) more" : ""))
    }
}

extension AnchorConstraints {
    /// Writes the constraints as an object.
    func write(to json: inout JSONWriter) {
        json.objects("issued", of: dates) { json, limit in
            json.member("side", limit.side.rawValue)
            json.member("date", limit.date.description)
            json.member("clock", limit.clock.rawValue)
        }
        json.member("permittedDomains", permittedDomains)
        json.member("excludedDomains", excludedDomains)
        json.member("purposes", purposes?.map(\.rawValue).sorted())
        json.member("undecidable", isUndecidable)
    }
}

extension RootList {
    /// Writes the list as a member of an object.
    func write(to json: inout JSONWriter) {
        json.member("program", program)
        json.member("date", date?.description)
        json.member("complete", isComplete)
        json.member("roots", count)
    }
}

extension SystemAnchors {
    /// Writes the store as a member of an object.
    func write(to json: inout JSONWriter) {
        json.member("files", files)
        json.member("roots", store.count)
        json.member("administratorsOwn", store.anchors.count { administratorsOwn.contains($0.certificate) })
        json.array("leftOut", of: warnings) { $0.string($1.description) }
    }
}

extension SystemAnchors {
    /// Warns about what was skipped. System bundles contain certificates that a strict parser refuses, so one line
    /// reports them.
    func announceWarnings() {
        guard let first = warnings.first else { return }
        let rest = warnings.count - 1
        let more = rest == 0 ? "" : ", and \(rest) more \(rest == 1 ? "entry" : "entries")"
        Diagnostics.warn("system anchor left out: \(first)" + more)
    }
}
