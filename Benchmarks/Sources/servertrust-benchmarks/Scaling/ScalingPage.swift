// SPDX-License-Identifier: Apache-2.0

/// The page with all charts and their figures, in Markdown.
struct ScalingPage {
    let curves: [Curve]
    let load: String?
    let seconds: Double

    var markdown: String {
        var text = """
            # Cost against size

            A benchmark measures these figures and writes this page with its charts. Don't edit them. Run it again with:

            ```
            Benchmarks/run.sh --scaling "$PWD/Documentation/Generated"
            ```

            On a busy machine, build first, then give the run real-time priority with `chrt -r 10` before the command.

            Machine: \(Machine.description). \(conditions)The run took \(seconds.formatted(decimals: 0)) seconds. \
            The contenders take turns, and the fastest round counts. Times are processor time, rates are by the clock. \
            All certificates have P-256 keys. Both axes of a chart are logarithmic: a line that rises by one decade for each decade grows with \
            n, and a level line is constant.

            *Growth* states how the counted work of this package grows. `Scripts/test --filter Growth` checks it by \
            counting, without a clock: it compares the charges of a size with those of twice that size. Peers' growth is \
            measured, and not checked.


            """
        for curve in curves { text += section(curve) }
        return text
    }

    private var conditions: String {
        (load.map { "The load average was \($0) when the run started. " } ?? "")
            + (Machine.hasRealTimePriority ? "The run had real-time priority over that load. " : "")
    }

    private func section(_ curve: Curve) -> String {
        var text = """
            ## \(curve.title)

            ![\(curve.title), a line chart. The table has its figures](Scaling/\(curve.file).svg)

            \(curve.finding)

            Growth: \(curve.growth)

            \(curve.peers)


            """
        if !curve.remark.isEmpty { text += "\(curve.remark)\n\n" }
        return text + table(curve) + "\n"
    }

    private func table(_ curve: Curve) -> String {
        var text = "| \(curve.size.label) | \(curve.lines.map(\.name).joined(separator: " | ")) |\n"
        text += "|" + String(repeating: "---|", count: curve.lines.count + 1) + "\n"
        for size in curve.sizes {
            let cells = curve.lines.map { line in
                line.points.first { $0.size == size }.map { curve.cost.quantity.text($0.cost) } ?? ""
            }
            text += "| \(curve.size.quantity.name(size)) | \(cells.joined(separator: " | ")) |\n"
        }
        return text
    }
}
