// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Reads any bytes as a list of denied certificates. A list is never empty, and every reading returns the same list.
#if !REPLAY
@c(LLVMFuzzerTestOneInput)
#endif
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    do throws(DeniedListError) {
        let list = try DeniedList(bytes)
        guard list.count > 0 else { fatalError("a list without an entry") }
        guard let again = try? DeniedList(bytes), again == list, again.count == list.count else {
            fatalError("another list at the second reading")
        }
    } catch {
        if error.description.isEmpty || error.description.utf8.count > 2000 { fatalError("an error of no use") }
    }
    return 0
}
