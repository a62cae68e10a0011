// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Diagnosis
import ServerTrust

/// The value of `--revocation`.
enum RevocationMode: String, CaseIterable, ExpressibleByArgument {
    case off
    case bestEffort = "best-effort"
    case required

    var mode: RevocationPolicy.Mode {
        switch self {
        case .off: .off
        case .bestEffort: .bestEffort
        case .required: .required
        }
    }
}

/// The value of `--exempt-short-lived`.
enum AnchorsArgument: String, CaseIterable, ExpressibleByArgument {
    case none
    case `public`
    case all

    var anchors: RevocationPolicy.Anchors {
        switch self {
        case .none: .none
        case .public: .publicAnchors
        case .all: .all
        }
    }
}

/// The options for revocation.
struct RevocationOptions: ParsableArguments {
    @Option(help: .book("check --revocation"))
    var revocation: RevocationMode?

    @Option(help: .book("check --ocsp"), completion: .file())
    var ocsp: [String] = []

    @Option(help: .book("check --crl"), completion: .file())
    var crl: [String] = []

    @Option(help: .book("check --filter"), completion: .file())
    var filter: [String] = []

    @Option(help: .book("check --exempt-short-lived"))
    var exemptShortLived: AnchorsArgument?

    @Option(help: .book("check --revocation-max-age"), transform: reading(TimeSpan.init))
    var revocationMaxAge: TimeSpan?

    /// The files with revocation data, which may include standard input.
    var files: [String] { ocsp + crl }

    /// The policy, with the options' values instead of the defaults.
    var policy: RevocationPolicy {
        var policy = RevocationPolicy(mode)
        if let exemptShortLived { policy.shortLivedExemption = exemptShortLived.anchors }
        if let revocationMaxAge { policy.maximumAge = .init(leaf: revocationMaxAge.duration, anchors: .all) }
        return policy
    }

    /// The mode of the revocation check. If files are named, the default is best effort, otherwise it is off.
    var mode: RevocationPolicy.Mode {
        (revocation ?? (files.isEmpty && filter.isEmpty ? .off : .bestEffort)).mode
    }

    func validate() throws {
        try OptionRule.check(
            .that(!filter.contains("-"), "--filter maps a file into memory: it can't be standard input"))
    }

    /// Returns the revocation data of the files, and upki's filters if no filters are named. A batch doesn't call it,
    /// because its answers must not depend on the machine.
    /// - Throws: ``CommandFailure`` if a file can't be read or contains something else.
    func data() throws(CommandFailure) -> RevocationData {
        var data = try RevocationInput.data(ocsp: ocsp, crls: crl)
        data.filters = filter.isEmpty && mode != .off ? FilterInput.unaskedFilters() : try filters()
        return data
    }

    /// Opens the filters that the options name.
    /// - Throws: ``CommandFailure`` if a file can't be read or isn't a filter.
    func filters() throws(CommandFailure) -> [RevocationFilter] { try FilterInput.filters(filter) }
}

/// A reader for CRLs and OCSP responses in files that the command line names. It leaves none out.
enum RevocationInput {
    /// Returns the OCSP responses and CRLs of files.
    /// - Throws: ``CommandFailure`` with file and byte if a file can't be read or contains something else.
    static func data(ocsp: [String], crls: [String]) throws(CommandFailure) -> RevocationData {
        var data = RevocationData()
        for file in ocsp {
            data.ocspResponses += try objects(in: file, .ocspResponse) { object in
                guard case .parsed(.ocspResponse) = object.content else { return nil }
                return object.der
            }
        }
        for file in crls {
            data.lists += try objects(in: file, .certificateRevocationList) { object in
                guard case .parsed(.certificateRevocationList(let list)) = object.content else { return nil }
                return list
            }
        }
        return data
    }

    /// Returns the objects of one kind in a file, in any encoding. It skips certificates and keys.
    /// - Throws: ``CommandFailure`` if the file can't be read or contains none, with every object that can't be parsed.
    private static func objects<Object>(
        in file: String, _ kind: ObjectKind, _ object: (InspectedObject) -> Object?
    ) throws(CommandFailure) -> [Object] {
        let inspected = try InputFile.inspect(file)
        let found = inspected.objects.compactMap(object)
        let problems = inspected.errors(expecting: kind, found: !found.isEmpty)
        guard problems.isEmpty else { throw CommandFailure(problems) }
        return found
    }
}
