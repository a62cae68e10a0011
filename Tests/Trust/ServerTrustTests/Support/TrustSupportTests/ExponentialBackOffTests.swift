// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Delays between attempts")
struct ExponentialBackOffTests {
    private static let fiveToNineHundred = ExponentialBackOff(initial: .seconds(5), maximum: .seconds(900))

    @Test(
        "A delay doubles with each failure, up to the maximum",
        arguments: [
            (-1, 0), (0, 0), (1, 5), (2, 10), (3, 20), (7, 320), (8, 640), (9, 900), (10, 900), (62, 900), (64, 900),
            (.max, 900),
        ])
    func doubling(failures: Int, expected: Int) {
        #expect(Self.fiveToNineHundred.nominalDelay(afterFailures: failures) == .seconds(expected))
    }

    struct Extreme: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let initial: Duration
        let maximum: Duration
        let failures: Int
        let expected: Duration
    }

    private static let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)

    @Test(
        "No limit, however large, causes an overflow or an endless loop",
        arguments: [
            Extreme(
                testDescription: "an initial delay above the maximum", initial: .seconds(60), maximum: .seconds(9),
                failures: 1, expected: .seconds(9)),
            Extreme(
                testDescription: "no initial delay", initial: .zero, maximum: .seconds(9), failures: .max,
                expected: .zero),
            Extreme(
                testDescription: "no delay at all", initial: .seconds(30), maximum: .zero, failures: 62,
                expected: .zero),
            Extreme(
                testDescription: "a practically unlimited maximum", initial: .seconds(1), maximum: longest,
                failures: .max,
                expected: longest),
            Extreme(
                testDescription: "a negative delay", initial: .seconds(-1), maximum: .seconds(9), failures: .max,
                expected: .seconds(-1)),
        ])
    func extremes(_ row: Extreme) {
        let backOff = ExponentialBackOff(initial: row.initial, maximum: row.maximum)
        #expect(backOff.nominalDelay(afterFailures: row.failures) == row.expected)
    }

    @Test(
        "Jitter shortens a delay by at most half",
        arguments: [(-1, 5000), (0, 5000), (0.5, 7500), (1, 10_000), (2, 10_000), (.infinity, 10_000)])
    func jitter(random: Double, milliseconds: Int) {
        #expect(Self.fiveToNineHundred.delay(afterFailures: 2, random: random) == .milliseconds(milliseconds))
    }
}
