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
        do throws(SystemAnchorsError) {
            return try SystemAnchors(environment: environment)
        } catch {
            throw CommandFailure(error.description, hint: "name a store with SSL_CERT_FILE")
        }
    }

    /// Returns the store's files in words: the first file, and the number of others.
    static func name(_ system: SystemAnchors) -> String {
        guard let first = system.files.first else { return "the system's store" }
        return printable(first) + (system.files.count > 1 ? " and \(system.files.count - 1) more" : "")
    }

    /// Returns a number with its noun.
    static func count(_ number: Int, _ noun: String = "root") -> String { counted(number, noun) }
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
        json.object { json in
            json.key("sha256")
            json.string(Hex.encode(certificate.sha256))
            json.key("subject")
            json.string(certificate.subject.description)
            json.key("notAfter")
            json.string(certificate.notAfter.description)
            json.key("administratorsOwn")
            json.boolean(isAdministratorsOwn)
            json.key("standing")
            json.string(standing.rawValue)
            json.key("conditions")
            json.array(of: alternatives) { json, set in set.write(to: &json) }
            json.key("distrustedAfter")
            json.string(distrustedAfter?.description)
        }
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
        json.object { json in
            json.key("issued")
            json.array(of: dates) { json, limit in
                json.object { json in
                    json.key("side")
                    json.string(limit.side.rawValue)
                    json.key("date")
                    json.string(limit.date.description)
                    json.key("clock")
                    json.string(limit.clock.rawValue)
                }
            }
            json.key("permittedDomains")
            if let permittedDomains {
                json.array(of: permittedDomains) { json, domain in json.string(domain) }
            } else {
                json.null()
            }
            json.key("excludedDomains")
            json.array(of: excludedDomains) { json, domain in json.string(domain) }
            json.key("purposes")
            if let purposes {
                json.array(of: purposes.map(\.rawValue).sorted()) { json, purpose in json.string(purpose) }
            } else {
                json.null()
            }
            json.key("undecidable")
            json.boolean(isUndecidable)
        }
    }
}

extension RootList {
    /// Writes the list as a member of an object.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("program")
            json.string(program)
            json.key("date")
            json.string(date?.description)
            json.key("complete")
            json.boolean(isComplete)
            json.key("roots")
            json.number(count)
        }
    }
}

extension SystemAnchors {
    /// Writes the store as a member of an object.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("files")
            json.array(of: files) { json, file in json.string(file) }
            json.key("roots")
            json.number(store.count)
            json.key("administratorsOwn")
            json.number(store.anchors.count { administratorsOwn.contains($0.certificate) })
            json.key("leftOut")
            json.array(of: warnings) { json, warning in json.string(warning.description) }
        }
    }
}
