// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import PrivateCA
import ServerTrust

/// `servertrust ca issue`: creates a key and a certificate.
struct CAIssue: ParsableCommand {
    static let configuration = CommandConfiguration(
        verb: "ca issue", abstract: "Create a key and a certificate for host names, wildcards and IP addresses.")

    @Argument(
        help: "Host names, *.example.com, IP addresses. The first one names the files.",
        transform: reading(CertifiedName.init))
    var names: [CertifiedName]

    @Flag(help: "Issue for a client (clientAuth) instead of a server (serverAuth).")
    var client = false

    @Option(help: ArgumentHelp("Make it valid for this many days, up to Apple's limit of 825.", valueName: "n"))
    var days = 90

    @Option(help: "Choose the key type.")
    var key: IssuedKeyKind = .p256

    @Flag(help: "Replace existing files of this name.")
    var force = false

    @OptionGroup(visibility: .wholePage) var revocation: RevocationPointerOptions

    @OptionGroup var options: CAOptions

    func validate() throws { try OptionRule.check(.range("--days", days, AuthorityFolder.leafDays)) }

    func run() throws {
        let folder = try options.open()
        warnOfWildcards(names)
        let issued = try folder.issue(
            names, for: client ? .clientAuth : .serverAuth, days: days, key: key, revocation: revocation.choice,
            at: .now(), replacing: force)
        try options.write(issued)
        try options.warnOfLeftovers(in: folder)
    }
}

/// Warns that a wildcard covers one label: `a.example.com`, but not `example.com` or `a.b.example.com`.
func warnOfWildcards(_ names: [CertifiedName]) {
    for name in names where name.isWildcard {
        Diagnostics.warn("\(name) covers any one label before \(name.host), but not \(name.host) itself")
    }
}

extension CAOptions {
    /// Writes the report of an issued certificate.
    func write(_ issued: IssuedCertificate) throws {
        let record = issued.record
        let pin = SPKIPin(issued.certificate).description
        let pointers = record.revocationPointers
        if pointers.mustStaple, pointers.ocsp == nil {
            Diagnostics.warn(
                "the certificate requires a staple but names no OCSP responder; configure one on the server")
        }
        try write(
            { "\($0.bold(record.names.joined(separator: ", "))) until \(record.notAfter)" },
            [
                ("chain", issued.chainPath), ("key", issued.keyPath ?? "kept by the requester"),
                ("serial", record.serialNumber), ("usage", record.purpose.rawValue), ("pin", pin),
            ] + pointers.facts
        ) { json in
            json.members(of: record)
            json.member("chain", issued.chainPath)
            json.member("key", issued.keyPath)
            json.member("pin", pin)
        }
    }
}

extension JSONWriter {
    /// Writes the record of a certificate.
    mutating func members(of record: AuthorityRecord) {
        member("serial", record.serialNumber)
        member("names", record.names)
        member("usage", record.purpose.rawValue)
        member("notBefore", record.notBefore.description)
        member("notAfter", record.notAfter.description)
        member("sha256", record.sha256)
        member("file", record.file)
        member("revoked", record.revocation?.time.description)
        member("reason", record.revocation?.reason.rawValue)
        addresses(of: record.revocationPointers)
        member("mustStaple", record.revocationPointers.mustStaple)
    }
}
