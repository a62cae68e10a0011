// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A process's resources.
package enum Counted {
    /// The number of open descriptors, except the one used for counting.
    package static func descriptors() -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0) - 1
    }

    /// The number of bytes that `malloc` has allocated and not freed, independent of the kernel's count, or nil if the
    /// C library doesn't report it.
    ///
    /// Swift's glibc module lacks `malloc_info`, whose sums come last in an XML document.
    package static func heapBytes() -> Int? {
        typealias Function = @convention(c) (Int32, UnsafeMutablePointer<FILE>?) -> Int32
        guard let symbol = dlsym(nil, "malloc_info") else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        var size = 0
        guard let stream = open_memstream(&text, &size) else { return nil }
        let status = unsafeBitCast(symbol, to: Function.self)(0, stream)
        fclose(stream)
        defer { free(text) }
        guard status == 0, let text else { return nil }
        let sums = String(cString: text).split(separator: "</heap>").last ?? ""
        func sum(_ element: String) -> Int? {
            sums.split(separator: "\n").first { $0.hasPrefix("<\(element)") }
                .flatMap { $0.split(separator: "size=\"").last?.prefix { $0.isNumber } }.flatMap { Int($0) }
        }
        guard let system = sum("system type=\"current\""), let mapped = sum("total type=\"mmap\""),
            let free = sum("total type=\"rest\""), let fast = sum("total type=\"fast\"")
        else { return nil }
        return system + mapped - free - fast
    }

    package static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
    }

    package static func comesDown(_ isDown: () -> Bool) async -> Bool {
        for _ in 0..<400 {
            // At least once, because the first sleep of a process opens a descriptor permanently.
            try? await Task.sleep(for: .milliseconds(25))
            if isDown() { return true }
        }
        return false
    }
}
