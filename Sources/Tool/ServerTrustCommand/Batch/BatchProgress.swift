// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A progress line on a terminal with the number of answers, their rate and the remaining time.
struct BatchProgress {
    /// The minimum time between two updates.
    private static let pause = Duration.milliseconds(500)

    private let line: ProgressLine
    /// The total bytes of all files. Nil if unknown.
    private let total: Int?
    private let start = ContinuousClock.now
    private var next = ContinuousClock.now + pause
    /// The answers and bytes at the first update. Rates are measured from there.
    private var first: (answers: Int, bytes: Int)?

    /// Creates a progress line, or returns nil if standard error isn't a terminal, or answers go to a terminal.
    init?(total: @autoclosure () -> Int?, answersToStandardOutput: Bool) {
        guard !answersToStandardOutput || !StandardStream.output.isTerminal, let line = ProgressLine() else {
            return nil
        }
        self.line = line
        self.total = total()
    }

    /// Updates the line if enough time has passed.
    mutating func show(answers: Int, bytes: Int) {
        guard let first else {
            first = (answers, bytes)
            return
        }
        let now = ContinuousClock.now
        guard now >= next else { return }
        next = now + Self.pause
        let elapsed = Double((now - start).components.seconds) + Double((now - start).components.attoseconds) / 1e18
        line.show(
            Self.text(
                answers: answers, rate: Double(answers - first.answers) / max(elapsed, 0.001),
                done: total.map { Double(bytes) / Double(max(1, $0)) },
                left: total.map {
                    elapsed * Double(max(0, $0 - bytes)) / Double(max(1, bytes - first.bytes))
                }))
    }

    func clear() { line.clear() }

    /// Returns the text of the line.
    /// - Parameters:
    ///   - rate: the answers per second.
    ///   - done: the fraction of the input that has been read, from 0 to 1, or nil if its size is unknown.
    ///   - left: the remaining seconds, or nil if the input's size is unknown.
    static func text(answers: Int, rate: Double, done: Double?, left: Double?) -> String {
        var text = "\(answers) answers, \(Int(rate.rounded()))/s"
        guard let done, let left else { return text }
        text += ", \(Int((min(1, done) * 100).rounded(.down)))%"
        guard left < 1_000_000 else { return text }
        let seconds = Int(left.rounded(.up))
        switch seconds {
        case ..<60: text += ", \(seconds) s left"
        case ..<3600: text += ", \(seconds / 60) min \(seconds % 60) s left"
        default: text += ", \(seconds / 3600) h \(seconds % 3600 / 60) min left"
        }
        return text
    }
}
