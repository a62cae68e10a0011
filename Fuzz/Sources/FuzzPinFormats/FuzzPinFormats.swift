// SPDX-License-Identifier: Apache-2.0

import PinLint
import ServerTrustPins

/// Reads pin files. The first byte selects the format of the rest. A file that can be read must not change when it is
/// written and read in this package's own format. A file that is written in another format must be readable again.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    guard let selector = bytes.first else { return 0 }
    let formats = PinFormat.all
    let file = Array(bytes.dropFirst())
    let format = Int(selector & 0x3f) < formats.count ? formats[Int(selector & 0x3f)] : nil
    let configuration: PinConfiguration
    do throws(PinFileError) {
        configuration = try PinConfiguration(importing: file, as: format, file: "input")
    } catch {
        _ = try? PinConfiguration(reading: file, as: format, file: "input")
        precondition(!error.problems.isEmpty && !error.description.isEmpty)
        return 0
    }
    // What an app reads is what the tools read.
    if let ofApp = try? PinConfiguration(reading: file, as: format, file: "input") {
        precondition(ofApp == configuration)
    }
    let own: WrittenPins
    do throws(PinWritingError) {
        own = try configuration.written(as: .json)
    } catch {
        // A file whose entries pin nothing has no rule to write.
        let isEmpty = error.refusal?.problems.contains { $0.code == .pinFileEmptyList } == true
        precondition(isEmpty, "not writable as JSON: \(error)")
        return 0
    }
    // Every conversion loses entries that pin nothing, so the rules are compared without them.
    guard let again = try? PinConfiguration(importing: own.bytes, as: .json, file: "again") else {
        preconditionFailure("own format not readable")
    }
    precondition(configuration.losses(in: again).isEmpty && again.losses(in: configuration).isEmpty)
    // The two high bits choose the format of the conversion.
    let target = [PinFormat.ats, .android, .okHttp, .trustKit][Int(selector >> 6)]
    var options = PinWritingOptions()
    options.isBinary = target == .ats && file.count % 2 == 0
    if let written = try? configuration.written(as: target, options) {
        for loss in written.losses { precondition(!loss.description.isEmpty) }
    }
    _ = try? configuration.serverTrustConfiguration()
    return 0
}
