// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import Testing

@testable import Diagnosis
@testable import ServerTrustTesting

@Suite("Hostile text in reports")
struct HostileReportTests {
    /// Text never becomes an element or attribute. The page has the same number of each as the page with harmless text.
    @Test(
        "A page with hostile text has the same elements as the harmless page", .timeLimit(.minutes(10)),
        arguments: 0..<3)
    func sameShape(_ index: Int) throws {
        let harmless = try ReportSamples.three()[index]
        let expected = try PageShape(harmless.page().bytes())
        let sample = try HostileText.Sample(harmless)
        var text = HostileText(seed: UInt64(index) + 1)
        for _ in 0..<20 {
            let page = try text.report(like: sample).page().bytes()
            let shape = try PageShape(page)
            // The page leaves out elements for empty text. Backquotes turn commands into code.
            #expect(Set(shape.elements.keys).subtracting(expected.elements.keys).subtracting(["code"]).isEmpty)
            #expect(Set(shape.attributes.keys).subtracting(expected.attributes.keys).isEmpty)
            #expect(shape.elements["script"] == 1 && shape.elements["style"] == 1)
            #expect(shape.elements["a"] ?? 0 <= expected.elements["a"] ?? 0)
            #expect(shape.links.allSatisfy { $0.hasPrefix("#") })
            #expect(Set(shape.identifiers).count == shape.identifiers.count)
            #expect(shape.text.unicodeScalars.allSatisfy { !Self.steers($0) })
        }
    }

    @Test(
        "A page for many hosts with hostile names has the same elements as the harmless page", .timeLimit(.minutes(10)))
    func sameShapeOfHosts() throws {
        let harmless = try ReportSamples.three()
        func page(_ reports: [(String, TrustReport)]) throws -> PageShape {
            let hosts = reports.map { ReportedHost($0.0, [$0.1], remarks: [$0.0]) }
            return try PageShape(HostsPage(hosts, date: TestAuthority.now).bytes())
        }
        let expected = try page(harmless.map { ($0.name, $0) })
        let samples = try harmless.map(HostileText.Sample.init)
        var text = HostileText(seed: 99)
        for _ in 0..<10 {
            let shape = try page(samples.map { (text.next(), try text.report(like: $0)) })
            #expect(Set(shape.elements.keys).subtracting(expected.elements.keys).subtracting(["code"]).isEmpty)
            #expect(Set(shape.attributes.keys).subtracting(expected.attributes.keys).isEmpty)
            #expect(shape.elements["script"] == 1 && shape.elements["style"] == 1)
            #expect(shape.links.allSatisfy { $0.hasPrefix("#") })
            #expect(Set(shape.identifiers).count == shape.identifiers.count)
            #expect(shape.text.unicodeScalars.allSatisfy { !Self.steers($0) })
        }
    }

    /// Whether the character is invisible or can change the characters around it. The page itself adds the line feeds
    /// between elements.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    @Test("A certificate with hostile names produces a harmless page")
    func certificate() throws {
        let hostile = "</style><script>alert(1)</script>\u{202e}\"'"
        let report = try ReportSamples.report {
            $0.organization = hostile
            $0.organizationalUnit = "javascript:alert(1)"
            $0.caIssuers = ["javascript:alert(1)//\"><script>"]
            $0.ocspResponders = ["data:text/html,<script>alert(1)</script>"]
        }
        let shape = try PageShape(report.page().bytes())
        #expect(shape.elements["script"] == 1)
        #expect(shape.links.allSatisfy { $0.hasPrefix("#") })
        #expect(shape.text.contains("</style><script>alert(1)</script>\\u{202e}"))
    }

    @Test("The page for a certificate with 10,000 names has a limited size")
    func manyNames() throws {
        let report = try ReportSamples.report { $0.dnsNames += (0..<10_000).map { "host\($0).example.com" } }
        #expect(report.page().bytes().count < 1 << 20)
    }
}
