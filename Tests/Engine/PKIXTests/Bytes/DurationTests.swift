// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Durations")
struct DurationTests {
    struct Row: Sendable {
        let duration: Duration
        let seconds: Int64
    }

    private static let rows: [Row] = [
        Row(duration: .zero, seconds: 0), Row(duration: .seconds(1), seconds: 1),
        Row(duration: .milliseconds(999), seconds: 0), Row(duration: .milliseconds(1_999), seconds: 1),
        Row(duration: .milliseconds(-1), seconds: -1), Row(duration: .milliseconds(-1_000), seconds: -1),
        Row(duration: .milliseconds(-1_001), seconds: -2), Row(duration: .nanoseconds(1), seconds: 0),
        Row(duration: .nanoseconds(-1), seconds: -1), Row(duration: .days(10), seconds: 864_000),
        Row(duration: Duration(secondsComponent: 0, attosecondsComponent: -1), seconds: -1),
        Row(duration: Duration(secondsComponent: -1, attosecondsComponent: -1), seconds: -2),
        Row(duration: .days(-1), seconds: -86_400), Row(duration: .hours(36), seconds: 129_600),
        Row(duration: .hours(-1), seconds: -3_600), Row(duration: .seconds(Int64.min), seconds: -.max),
    ]

    /// Durations whose seconds don't fit into `Int64`, and the longest ones that fit.
    private static let long: [Row] = {
        let longest = Duration.seconds(Int64.max)
        return [longest, longest + .nanoseconds(1), longest + longest, longest * 9, .days(.max), .hours(.max)].flatMap {
            [Row(duration: $0, seconds: .max), Row(duration: .zero - $0, seconds: -.max)]
        } + [Row(duration: longest - .nanoseconds(1), seconds: .max - 1)]
    }()

    @Test("Whole seconds are rounded down and clamped to a range that can be negated", arguments: rows + long)
    func seconds(row: Row) {
        #expect(row.duration.wholeSeconds == row.seconds)
        #expect(-(-row.duration.wholeSeconds) == row.seconds)
    }

    @Test("Advancing a time by a duration rounds down and clamps the result", arguments: rows + long)
    func moments(row: Row) {
        #expect(Time(secondsSinceEpoch: 0).advanced(by: row.duration) == Time(secondsSinceEpoch: row.seconds))
        #expect(Time(secondsSinceEpoch: .max).advanced(by: row.duration) >= Time(secondsSinceEpoch: 0))
        #expect(Time(secondsSinceEpoch: .min).advanced(by: row.duration) < Time(secondsSinceEpoch: 0))
    }
}
