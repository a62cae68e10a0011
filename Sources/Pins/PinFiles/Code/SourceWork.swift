// SPDX-License-Identifier: Apache-2.0

import PKIX
import PinModel
import ServerTrust

/// The work of reading the values of one source.
///
/// A constant may be used at any number of places, and each use reads its definition again: a file of 40 KB could make a program read
/// gigabytes. Every text, every value of a list or a dictionary and every use of a constant therefore charges this meter, in bytes. The
/// budget grows with the size of the file, so that no file without such constants reaches it.
final class SourceWork {
    private(set) var meter: WorkMeter
    private let budget: Int

    /// The work of one value of a list or a dictionary, beside its text.
    static let perValue = 128

    /// Creates the work of a source of that many bytes.
    init(bytes: Int) {
        budget = (8 << 20) + 16 * bytes
        meter = WorkMeter(work: budget)
    }

    /// Charges work.
    /// - Returns: false if it isn't to be done.
    func charge(_ bytes: Int) -> Bool { meter.charge(work: bytes) }

    /// Reports values that were left unread because the budget had run out. Without them the pins of the file aren't known.
    func check(_ diagnostics: inout PinDiagnostics) {
        guard meter.isExhausted else { return }
        diagnostics.add(
            .pinFileTooLarge, nil, "",
            "the uses of its constants make it more than \(budget >> 20) MiB of text, expected the values at fewer places"
        )
    }
}
