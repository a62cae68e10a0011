// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Returns a duration in days of 86,400 seconds each, clamped to the number of seconds that fits into `Int64`.
    public static func days(_ count: Int) -> Duration { seconds(count, each: 86_400) }

    /// Returns a duration in hours, clamped to the number of seconds that fits into `Int64`.
    public static func hours(_ count: Int) -> Duration { seconds(count, each: 3_600) }

    private static func seconds(_ count: Int, each factor: Int64) -> Duration {
        let (product, overflow) = Int64(count).multipliedReportingOverflow(by: factor)
        return .seconds(overflow ? (count < 0 ? -Int64.max : .max) : product)
    }

    /// The whole seconds, rounded down and clamped so that the value can be negated.
    ///
    /// `components` traps if the seconds don't fit into `Int64`.
    package var wholeSeconds: Int64 {
        if self >= .seconds(Int64.max) { return .max }
        if self <= .seconds(-Int64.max) { return -.max }
        let (seconds, attoseconds) = components
        return attoseconds < 0 ? seconds - 1 : seconds
    }
}
