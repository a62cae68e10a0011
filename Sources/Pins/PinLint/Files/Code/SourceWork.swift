// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustPins

/// The work of reading the values of a source.
///
/// A source can use a constant any number of times, and each use reads its definition again. A file of 40 KB could make
/// a program read gigabytes. Every string, every value in a list or dictionary and every use of a constant therefore
/// charges this meter, in bytes. The budget grows with the size of the file, so no file without such constants exceeds
/// it.
final class SourceWork {
    private(set) var meter: WorkMeter
    private let budget: Int

    /// The work for a value of a list or dictionary, in addition to its text.
    static let perValue = 128

    /// Creates the meter for a source with this many bytes.
    init(bytes: Int) {
        budget = (8 << 20) + 16 * bytes
        meter = WorkMeter(work: budget)
    }

    /// Charges work.
    /// - Returns: false if the budget is exhausted, so the work must not be done.
    func charge(_ bytes: Int) -> Bool { meter.charge(work: bytes) }

    /// Reports that values weren't read because the budget was exhausted. Without these values, the file's pins aren't
    /// known.
    func check(_ diagnostics: inout PinDiagnostics) {
        guard meter.isExhausted else { return }
        diagnostics.add(
            .pinFileTooLarge, nil, "",
            "its constants expand to more than \(budget >> 20) MiB of text, expected fewer uses of them"
        )
    }
}
