// SPDX-License-Identifier: Apache-2.0

/// A plan that once took seconds or wrote megabytes. Each is a row of a table and a seed of the fuzzer.
public struct KnownCost: Sendable {
    public let name: String
    public let plan: CostPlan

    private init(_ name: String, _ make: (inout CostPlan) -> Void) {
        self.name = name
        var plan = CostPlan()
        make(&plan)
        self.plan = plan
    }

    public static let all: [KnownCost] =
        [(20, 30), (30, 100), (30, 500), (30, 2000)].map { layers, letters in
            KnownCost("\(layers) layers of 2, one key, names of \(letters) letters beyond ASCII") { plan in
                plan.options = [.sharedKey, .signed, .forgedTop]
                plan.layers = layers
                plan.width = 2
                plan.relativeNames = 1
                plan.letters = letters
                plan.alphabet = 1
                plan.spelling = .plainLast
            }
        } + [
            KnownCost("30 layers of 2, one key, two spellings") { plan in
                plan.options = [.sharedKey, .signed, .forgedTop, .twoSpellings]
                plan.layers = 30
                plan.width = 2
                plan.letters = 100
                plan.alphabet = 1
                plan.relativeNames = 1
                plan.spelling = [.otherCase, .spaces, .plainLast]
            },
            KnownCost("a clique of 60, one key, names of 500 letters") { plan in
                plan.options = [.sharedKey, .signed, .forgedTop, .clique, .twoSpellings]
                plan.layers = 30
                plan.width = 2
                plan.letters = 500
                plan.alphabet = 1
                plan.spelling = .otherCase
            },
            KnownCost("excluded directory names of 8 attributes in the opposite order") { plan in
                plan.options = [.twoSpellings, .signed]
                plan.letters = 72
                plan.alphabet = 14
                plan.spelling = [.reversed, .directoriesDiffer]
                plan.lists = [
                    .init(.directoryNames, .leaf, 300, length: 8),
                    .init(.excludedDirectories, .firstLayer, 300, length: 8),
                ]
            },
            KnownCost("the same beyond ASCII, signed") { plan in
                plan.options = [.twoSpellings, .signed]
                plan.letters = 24
                plan.alphabet = 1
                plan.spelling = [.reversed, .otherCase, .directoriesDiffer]
                plan.lists = [
                    .init(.directoryNames, .leaf, 300, length: 8),
                    .init(.excludedDirectories, .firstLayer, 300, length: 8),
                ]
            },
            KnownCost("60 issuers of 8 attributes in the opposite order") { plan in
                plan.options = [.twoSpellings, .signed]
                plan.width = 60
                plan.attributes = 8
                plan.letters = 64
                plan.alphabet = 1
                plan.spelling = [.reversed, .lastDiffers]
            },
            KnownCost("an extended key usage of 170,000 OIDs") { plan in
                plan.layers = 0
                plan.options = .host
                plan.lists = [.init(.purposes, .leaf, 170_000)]
            },
            KnownCost("an issuer of 9,000 values in one set") { plan in
                plan.options = .host
                plan.attributes = 9_000
                plan.letters = 30
            },
            KnownCost("28,000 common names, strict") { plan in
                plan.layers = 0
                plan.options = [.host, .strict]
                plan.lists = [.init(.commonNames, .leaf, 28_000), .init(.dnsNames, .leaf, 10)]
            },
            KnownCost("170,000 alternative names, strict") { plan in
                plan.layers = 0
                plan.options = [.host, .strict]
                plan.lists = [.init(.dnsNames, .leaf, 170_000), .init(.commonNames, .leaf, 1)]
            },
            KnownCost("28,000 common names and as many alternative names, strict") { plan in
                plan.layers = 0
                plan.options = [.host, .strict]
                plan.lists = [.init(.commonNames, .leaf, 28_000), .init(.dnsNames, .leaf, 28_000)]
            },
            KnownCost("1,000 certificates of 100 policies") { plan in
                plan.options = [.host, .explicitPolicy]
                plan.layers = 4
                plan.width = 250
                plan.lists = [.init(.policies, .everywhere, 100)]
            },
            KnownCost("policies and mappings, signed") { plan in
                plan.options = [.signed, .explicitPolicy]
                plan.layers = 20
                plan.lists = [.init(.policies, .everywhere, 100), .init(.mappings, .authorities, 100)]
            },
            KnownCost("25,000 excluded DNS names against 25,000 names, signed") { plan in
                plan.options = .signed
                plan.lists = [.init(.dnsNames, .leaf, 25_000), .init(.excludedDNS, .firstLayer, 25_000)]
            },
            KnownCost("permitted names of every form, signed") { plan in
                plan.options = .signed
                plan.lists = [
                    .init(.permittedURIs, .firstLayer, 3_000), .init(.permittedMailboxes, .firstLayer, 3_000),
                    .init(.permittedAddresses, .firstLayer, 3_000), .init(.uris, .leaf, 3_000),
                    .init(.mailboxes, .leaf, 3_000), .init(.addresses, .leaf, 3_000),
                ]
            },
            KnownCost("300 certificates of 60 unknown extensions") { plan in
                plan.width = 300
                plan.options = [.host, .strict]
                plan.lists = [.init(.unknownExtensions, .everywhere, 60)]
            },
            KnownCost("30,000 descriptions of access and distribution points") { plan in
                plan.layers = 0
                plan.options = [.host, .strict]
                plan.lists = [.init(.accessDescriptions, .leaf, 30_000), .init(.distributionPoints, .leaf, 30_000)]
            },
            KnownCost("1,000 candidates for one leaf") { plan in
                plan.options = [.host, .sharedKey]
                plan.width = 1_000
            },
            KnownCost("key identifiers of 60,000 bytes") { plan in
                plan.options = [.host, .strict]
                plan.layers = 3
                plan.width = 3
                plan.identifier = 60_000
            },
        ]
}
