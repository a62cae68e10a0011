// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Reads any bytes as the list of a root program. A list is never empty and adds no anchor, and every reading returns
/// the same list.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    do throws(RootListError) {
        let list = try RootList(bytes)
        guard let again = try? RootList(bytes), again.count == list.count, again.date == list.date,
            again.program == list.program, again.isComplete == list.isComplete
        else { fatalError("another list at the second reading") }
        if list.isComplete, list.count == 0 { fatalError("a complete list without a root") }
        _ = TrustAnchors.only([]).applying(list)
    } catch {
        if error.description.isEmpty || error.description.utf8.count > 2000 { fatalError("an error of no use") }
    }
    return 0
}
