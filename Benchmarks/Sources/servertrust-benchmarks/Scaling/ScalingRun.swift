// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Measures how costs grow with sizes, and writes a chart for each curve and the page `Scaling.md`.
struct ScalingRun {
    /// The folder of the page. The charts are in its folder `Scaling`.
    let folder: String
    let rounds: Int

    func run() async throws {
        let start = ContinuousClock.now
        let load = Machine.load
        let roots = try SystemRoots()
        let paths = PathCurves(roots: roots, rounds: rounds)
        let curves = [
            try await ThreadCurve(roots: roots, rounds: rounds).measure(),
            try await RuleCurve(roots: roots, rounds: rounds).measure(),
            try await paths.anchors(), try await paths.chains(), try await paths.names(),
            try await CRLCurve(rounds: rounds).measure(),
        ]
        let charts = URL(fileURLWithPath: folder).appendingPathComponent("Scaling")
        try FileManager.default.createDirectory(at: charts, withIntermediateDirectories: true)
        for curve in curves {
            try Data(CurveChart(curve: curve).svg.utf8).write(to: charts.appendingPathComponent("\(curve.file).svg"))
            print("\(curve.title): \(curve.finding)")
        }
        let page = ScalingPage(curves: curves, load: load, seconds: (ContinuousClock.now - start) / .seconds(1))
        try Data(page.markdown.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent("Scaling.md"))
    }
}
