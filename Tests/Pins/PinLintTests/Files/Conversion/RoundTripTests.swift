// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import Testing

@testable import PinLint
@testable import ServerTrustPins

/// Writes files and reads them back.
@Suite struct RoundTripTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let format: PinFormat
        var language: SourceLanguage?
        let scope: PinScope
        /// The subdomain depths that the format can express without a loss.
        let below: [PinnedHosts.Below]
        var hosts = 1...5
        var testDescription: String { "\(format) \(language?.rawValue ?? "")" }

        var options: PinWritingOptions {
            var options = PinWritingOptions()
            options.language = language
            return options
        }
    }

    static let targets = [
        Target(format: .okHttp, language: .kotlin, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .okHttp, language: .java, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .trustKit, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .trustKit, language: .swift, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .trustKit, language: .objectiveC, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .reactNative, scope: .anywhere, below: [.nothing, .anyDepth]),
        Target(format: .tlsa, scope: .leaf, below: [.nothing]),
        Target(format: .tlsa, scope: .authority, below: [.nothing]),
        Target(format: .tlsa, scope: .anywhere, below: [.nothing]),
        Target(format: .git, scope: .leaf, below: [.nothing]),
        Target(format: .envoy, scope: .leaf, below: [.nothing], hosts: 1...1),
        Target(format: .curl, scope: .leaf, below: [.nothing], hosts: 1...1),
    ]

    /// Comments that contain the end of a comment, line or literal.
    static let comments: [String?] = [
        nil, "a key", "*/ evil(); /*", "line\nbreak", "\\u000a evil();", "back\\", "\"", "${x} $y \\(z)", "'", "</key>",
        "; #", "\u{202e}",
    ]

    static func configuration(_ target: Target, _ numbers: inout SplitMix) throws -> PinConfiguration {
        let count = Int.random(in: target.hosts, using: &numbers)
        let rules = try (0..<count).map { index in
            let name = try Hostname("h\(index).example\(Int.random(in: 0...9, using: &numbers)).org")
            let hosts = try #require(
                PinnedHosts.host(name, andBelow: target.below.randomElement(using: &numbers) ?? .nothing))
            let pins = try (0..<Int.random(in: 2...4, using: &numbers)).map { _ in
                let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &numbers) }
                return Pin(
                    .key(try SPKIPin("sha256/" + Base64.encode(bytes))), scope: target.scope,
                    comment: comments.randomElement(using: &numbers) ?? nil)
            }
            return try PinRule(hosts: [hosts], pins: pins)
        }
        return try PinConfiguration(rules: rules)
    }

    @Test("A written file is detected and read back as the same pins", arguments: targets)
    func writtenFilesAreReadAgain(_ target: Target) throws {
        var numbers = SplitMix(state: 17)
        for _ in 0..<200 {
            let configuration = try Self.configuration(target, &numbers)
            let written = try configuration.written(as: target.format, target.options)
            let losses = written.losses.filter { $0.code != .comments && $0.code != .settings }
            #expect(losses == [], "\(String(decoding: written.bytes, as: UTF8.self))")
            var again = try PinConfiguration(importing: written.bytes, file: "again")
            if target.format == .curl, let host = configuration.rules.first?.hosts.first?.name {
                again = again.bound(to: host)
            }
            #expect(configuration.losses(in: again).filter { $0.effect != .none } == [])
            #expect(again.losses(in: configuration).filter { $0.effect != .none } == [])
            #expect(again.rules.flatMap(\.pins).count == configuration.rules.flatMap(\.pins).count)
        }
    }

    @Test("Writing Chromium's option reports the loss of every pin, and the option can't be read back")
    func chromiumPinsNothing() throws {
        let configuration = try PinFixture.shared().configuration("example.com sha256/{CA}", .okHttp)
        let written = try configuration.written(as: .chromium)
        #expect(
            try String(decoding: written.bytes, as: UTF8.self)
                == PinFixture.shared().filled("--ignore-certificate-errors-spki-list={CA}\n"))
        #expect(written.losses.map(\.code) == [.hostsNotPinned])
        #expect(written.losses.map(\.effect) == [.weaker])
        #expect(throws: PinFileError.self) { try PinConfiguration(importing: written.bytes, as: .chromium, file: "x") }
        #expect(throws: PinFileError.self) { try PinConfiguration(importing: written.bytes, file: "x") }
    }

    @Test("Envoy's configuration uses the names from Envoy's protocol buffers")
    func envoyGolden() throws {
        let configuration = try PinFixture.shared().configuration("sha256//{LEAF}", .curl).bound(
            to: Hostname("example.com"))
        let written = try configuration.written(as: .envoy)
        let expected = try PinFixture.shared().filled(
            """
            {
              "transport_socket": {
                "name": "envoy.transport_sockets.tls",
                "typed_config": {
                  "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
                  "sni": "example.com",
                  "common_tls_context": {
                    "validation_context": {
                      "trusted_ca": {
                        "filename": "/etc/ssl/certs/ca-certificates.crt"
                      },
                      "match_typed_subject_alt_names": [
                        {
                          "san_type": "DNS",
                          "matcher": {
                            "exact": "example.com"
                          }
                        }
                      ],
                      "verify_certificate_spki": [
                        "{LEAF}"
                      ]
                    }
                  }
                }
              }
            }

            """)
        #expect(String(decoding: written.bytes, as: UTF8.self) == expected)
        #expect(written.losses == [])
    }

    @Test("TLSA records contain the usage that fits the pins' scope")
    func tlsaGolden() throws {
        let pins = try ["LEAF", "CA"].map { try SPKIPin(PinFixture.shared().filled("sha256/{\($0)}")) }
        let hex = pins.map { Hex.encode($0.sha256) }
        func records(_ scope: PinScope) throws -> [String] {
            let rule = try PinRule(
                hosts: [.only(Hostname("a.test"))], pins: [Pin(.key(pins[0]), scope: scope, comment: "x")])
            let written = try PinConfiguration(rules: [rule]).written(as: .tlsa)
            #expect(written.losses == [])
            return String(decoding: written.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        #expect(try records(.leaf) == ["_443._tcp.a.test. IN TLSA 3 1 1 \(hex[0]) ; x"])
        #expect(try records(.authority) == ["_443._tcp.a.test. IN TLSA 2 1 1 \(hex[0]) ; x"])
        #expect(try records(.anywhere).map { $0.contains("3 1 1") } == [true, false])
        let both = try PinRule(
            hosts: [.only(Hostname("a.test"))],
            pins: [Pin(.key(pins[0]), scope: .leaf), Pin(.key(pins[1]), scope: .authority)])
        // Either record is enough, although the original rule requires pins from both lists.
        #expect(try PinConfiguration(rules: [both]).written(as: .tlsa).losses.map(\.code) == [.scope])
    }
}

/// A random generator with a fixed sequence.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
