// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ServerTrust

/// The options of `verify` and `audit` that affect verdicts.
struct EvaluationOptions: ParsableArguments {
    @Option(help: .book("verify --host"), transform: reading(EndpointArgument.host))
    var host: Hostname?

    @Option(help: .book("verify --anchors"), completion: .file())
    var anchors: [String] = []

    @OptionGroup(visibility: .wholePage) var roots: RootsOverlayOptions

    @Option(help: .book("verify --intermediates"), completion: .file())
    var intermediates: [String] = []

    @Option(help: .book("verify --time"), transform: reading(Time.init(rfc3339:)))
    var time: Time?

    @Option(help: "Require this purpose of the leaf. (default: serverAuth)")
    var purpose: ValidationPolicy.Purpose?

    @Option(help: .wholePage("Apply the public web's rules, or plain RFC 5280. (default: webPKI)"))
    var profile: ValidationPolicy.Profile?

    @Flag(help: .wholePage("Add rules for CAs, roots included, that most verifiers relax."))
    var strict = false

    @Option(help: .book("verify --maximum-intermediates"))
    var maximumIntermediates: Int?

    @OptionGroup var revocation: RevocationOptions

    @OptionGroup(visibility: .wholePage) var deniedLists: DeniedOptions

    @OptionGroup(visibility: .wholePage) var transparency: TransparencyOptions

    /// The files with anchors, intermediates, revocation data and lists.
    var files: [String] {
        anchors + intermediates + revocation.files + deniedLists.denied
            + [roots.rootsOverlay, transparency.logs].compactMap(\.self)
    }

    func validate() throws {
        try OptionRule.check(.range("--maximum-intermediates", maximumIntermediates, 0 ... .max))
    }
}
