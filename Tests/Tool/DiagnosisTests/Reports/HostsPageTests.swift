// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import ServerTrust
import ServerTrustTesting
import Testing

@testable import Diagnosis

@Suite("The page for many hosts")
struct HostsPageTests {
    private static let day: Int64 = 86_400

    private func page(_ hosts: [ReportedHost]) -> [UInt8] {
        HostsPage(hosts, date: TestAuthority.now, version: "1.2.3").bytes()
    }

    @Test("The page starts with the most urgent host, and has a row and a report for each host")
    func order() throws {
        let reports = try ReportSamples.three()
        let bytes = page(reports.map { ReportedHost($0.name, [$0], endsSoon: false) })
        let text = String(decoding: bytes, as: UTF8.self)
        let table = try #require(
            text.components(separatedBy: "<table class=\"sorts\"").last?.components(separatedBy: "</tbody>").first)
        let names = ["expired.example.com", "gone.example.com", "api.example.com"]
        let places = try names.map { try #require(table.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
        let shape = try PageShape(bytes)
        for index in 0..<3 {
            #expect(shape.links.contains("#host-\(index)"))
            #expect(shape.identifiers.contains("host-\(index)"))
        }
        let targets = Set(shape.links.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) })
        #expect(targets.subtracting(shape.identifiers + ["content"]).isEmpty)
    }

    @Test("A host's outcome is the outcome of its most urgent report")
    func outcome() throws {
        let three = try ReportSamples.three()
        #expect(ReportedHost("a", [three[0]], endsSoon: false).outcome == .trusted)
        #expect(ReportedHost("a", [three[0]], endsSoon: true).outcome == .expiring)
        #expect(ReportedHost("a", [three[0], three[2]], endsSoon: true).outcome == .undecided)
        #expect(ReportedHost("a", three).outcome == .rejected)
        #expect(ReportedHost("a", []).outcome == .undecided)
    }

    @Test("The page doesn't show a trusted host as refused just because another server in its redirects was refused")
    func redirect() throws {
        let three = try ReportSamples.three()
        let text = try PageShape(page([ReportedHost("a", [three[0], three[1]])])).text
        #expect(text.contains("0 of 1 host trusted: "))
        #expect(try !PageShape(page([ReportedHost("a", [three[1], three[0]])])).text.contains("0 of 1 host trusted: "))
        #expect(try !PageShape(page([ReportedHost("a", [three[1]])])).text.contains("0 of 1 host trusted: "))
    }

    @Test("The heading is red if a host is refused, with the percentage of trusted hosts")
    func heading() throws {
        let three = try ReportSamples.three()
        let trusted = ReportedHost("a", [three[0]], endsSoon: false)
        let rejected = ReportedHost("b", [three[1]])
        let rows: [(hosts: [ReportedHost], tone: String, words: String)] = [
            ([trusted, trusted, rejected], "bad", "2 of 3 hosts trusted (66%)"),
            ([trusted, rejected], "bad", "1 of 2 hosts trusted (50%)"),
            ([trusted, rejected, rejected], "bad", "1 of 3 hosts trusted (33%)"),
            ([rejected], "bad", "0 of 1 host trusted"), ([trusted], "good", "1 of 1 host trusted"),
            (
                [trusted, ReportedHost("c", [three[0]], endsSoon: true)], "caution",
                "2 of 2 hosts trusted, 1 expires soon"
            ),
        ]
        for row in rows {
            let text = String(decoding: page(row.hosts), as: UTF8.self)
            #expect(text.contains("<div class=\"banner \(row.tone)\">"), "\(row.words)")
            #expect(text.contains("<h1>\(row.words)</h1>"), "\(row.words)")
        }
    }

    @Test("A row says that revocation wasn't checked, and only then")
    func revocation() throws {
        var report = try ReportSamples.three()[0]
        func row() -> String {
            let text = String(decoding: page([ReportedHost("a", [report])]), as: UTF8.self)
            return text.components(separatedBy: "<table class=\"sorts\"").last?.components(separatedBy: "</tbody>")
                .first ?? ""
        }
        #expect(report.checks.contains { $0.name == "revocation" && $0.status == .notChecked })
        #expect(row().contains("not checked: revocation"))
        report.checks.removeAll { $0.name == "revocation" }
        #expect(!row().contains("not checked: revocation"))
    }

    @Test("On a narrow page, the timeline keeps the label of its last period and the labels of years")
    func timeline() throws {
        let report = try ReportSamples.three()[0]
        let hosts = (0..<5).map { ReportedHost("host\($0)", [report]) }
        let ends = hosts.indices.map { (host: $0, end: TestAuthority.now.advanced(by: Int64($0) * 35 * Self.day)) }
        let calendar = ExpiryCalendar(ends, from: TestAuthority.now)
        var html = HTMLWriter()
        ColumnDrawing(calendar: calendar, names: hosts.map(\.name)).write(&html)
        let columns = String(decoding: html.bytes, as: UTF8.self).components(separatedBy: "<svg x=").dropFirst()
        #expect(columns.count == calendar.periods.count)
        #expect(calendar.periods.count > 6)
        #expect(String(decoding: html.bytes, as: UTF8.self).contains("class=\"timeline dense\""))
        let hidden = columns.map { $0.contains("class=\"other\"") }
        #expect(hidden.last == false)
        for (period, isHidden) in zip(calendar.periods, hidden).dropFirst() where period.year != nil {
            #expect(!isHidden)
        }
        #expect(hidden.count { !$0 } <= 8)
    }

    @Test("The page shows an issuer's common name even if the server didn't send the issuer's certificate")
    func authority() throws {
        for scene in [ReportScene.good, ReportScene.withoutIntermediate] {
            #expect(ReportedHost("a", [try scene.get().report]).authority == "Test Intermediate")
        }
    }

    @Test("A page without hosts is empty and well-formed")
    func empty() throws {
        let shape = try PageShape(page([]))
        #expect(shape.text.contains("0 of 0 hosts trusted"))
        #expect(shape.elements["svg"] == nil)
    }

    @Test("The page for 10,000 hosts has a limited size and a row for each host")
    func manyHosts() throws {
        let three = try ReportSamples.three()
        let bytes = page((0..<10_000).map { ReportedHost("host\($0).example.com", [three[$0 % 3]]) })
        #expect(bytes.count < 48 << 20)
        let rows = String(decoding: bytes, as: UTF8.self).components(separatedBy: "<tr data-outcome=").count - 1
        #expect(rows == 10_000)
    }
}

@Suite("Expiry by week and month")
struct ExpiryCalendarTests {
    private func calendar(_ ends: [String], from date: String = "2026-11-22T10:00:00Z") throws -> ExpiryCalendar {
        ExpiryCalendar(
            try ends.enumerated().map { (host: $0.offset, end: try Time(rfc3339: $0.element)) },
            from: try Time(rfc3339: date))
    }

    @Test("The calendar shows expiry within half a year by week, from the Monday before the date")
    func weeks() throws {
        let calendar = try calendar(["2026-11-22T10:00:00Z", "2026-11-23T00:00:00Z", "2027-01-03T23:59:59Z"])
        #expect(calendar.unit == "week")
        #expect(calendar.periods.map(\.label).prefix(3) == ["Nov 16", "Nov 23", "Nov 30"])
        #expect(calendar.periods.map(\.hosts) == [[0], [1], [], [], [], [], [2]])
        #expect(calendar.periods.map(\.year) == ["2026", nil, nil, nil, nil, nil, nil])
    }

    @Test("The calendar shows expiry in later years by month, and all expiry after more than two years in one period")
    func months() throws {
        let calendar = try calendar([
            "2026-11-30T00:00:00Z", "2027-01-01T00:00:00Z", "2028-10-31T00:00:00Z", "9999-12-31T23:59:59Z",
        ])
        #expect(calendar.unit == "month")
        #expect(calendar.periods.count == 25)
        #expect(calendar.periods.first?.name == "Nov 2026")
        #expect(calendar.periods[2].hosts == [1])
        #expect(calendar.periods[2].year == "2027")
        #expect(calendar.periods[23].hosts == [2])
        #expect(calendar.periods.last?.label == "later")
        #expect(calendar.periods.last?.hosts == [3])
    }

    @Test(
        "The calendar shows all expired hosts together in the first period",
        arguments: ["2026-11-22T09:59:59Z", "1950-01-01T00:00:00Z", "0001-01-01T00:00:00Z"])
    func past(_ end: String) throws {
        let calendar = try calendar([end])
        #expect(calendar.periods.map(\.label) == ["expired"])
        #expect(calendar.periods.map(\.hosts) == [[0]])
    }

    @Test("Every host is in exactly one period, whatever the dates")
    func complete() throws {
        for seed in 0..<50 as Range<Int64> {
            let date = Time(secondsSinceEpoch: seed &* 987_654_321)
            let ends = (0..<40 as Range<Int64>).map {
                (host: Int($0), end: date.advanced(by: ($0 - 10) * (seed + 1) * 200_000))
            }
            let calendar = ExpiryCalendar(ends, from: date)
            #expect(calendar.periods.flatMap(\.hosts).sorted() == Array(0..<40))
            #expect(calendar.periods.count <= 28)
        }
    }
}
