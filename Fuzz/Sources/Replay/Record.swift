// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that a child and its parent share. The child maps it into memory and keeps in it the input that it runs, so that the parent has
/// that input even after a crash.
enum Record {
    /// The numbers at the start of the file, eight bytes each.
    enum Field: Int, CaseIterable {
        case state
        /// Time on the clock at the start of the current input, in nanoseconds.
        case started
        /// Number of the current input.
        case number
        /// Index of the file that the current input was made from.
        case base
        /// Bytes of the current input.
        case count
        /// Inputs that ended.
        case finished
        /// Processor time of the slowest input, in nanoseconds.
        case slowest
        /// Processor time of the current input or growth of memory, where it is over the limit.
        case measured
        case checksum
    }

    enum State: UInt64 {
        /// `between`: the next input is made. A crash then is one of this program.
        case reading, running, between, finished, unreadable, noInputs, tooSlow, tooLarge
    }

    static let headerSize = Field.allCases.count * 8

    /// The child's side.
    struct Writer {
        private let memory: UnsafeMutableRawPointer

        init(path: String, capacity: Int) throws {
            let file = open(path, O_RDWR)
            guard file >= 0, ftruncate(file, off_t(headerSize + capacity)) == 0,
                let memory = mmap(nil, headerSize + capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
                memory != MAP_FAILED
            else { throw ReplayError("\(path) can't be mapped: \(String(cString: strerror(errno)))") }
            close(file)
            self.memory = memory
        }

        subscript(_ field: Field) -> UInt64 {
            get { memory.load(fromByteOffset: field.rawValue * 8, as: UInt64.self) }
            nonmutating set { memory.storeBytes(of: newValue, toByteOffset: field.rawValue * 8, as: UInt64.self) }
        }

        func set(_ state: State) { self[.state] = state.rawValue }

        /// Keeps an input. The state is that of a run afterwards.
        func begin(_ bytes: UnsafeRawBufferPointer, number: Int, base: Int) {
            self[.count] = UInt64(bytes.count)
            if let start = bytes.baseAddress { (memory + headerSize).copyMemory(from: start, byteCount: bytes.count) }
            self[.number] = UInt64(number)
            self[.base] = UInt64(base)
            self[.started] = Platform.monotonicNanoseconds()
            set(.running)
        }
    }

    /// The parent's side: a copy.
    struct Snapshot {
        private var numbers = [UInt64](repeating: 0, count: Field.allCases.count)

        /// Reads the numbers of a record. They are zero until the child has mapped the file.
        init(path: String) {
            let file = open(path, O_RDONLY)
            guard file >= 0 else { return }
            defer { close(file) }
            var numbers = numbers
            let count = numbers.withUnsafeMutableBytes { pread(file, $0.baseAddress, headerSize, 0) }
            if count == headerSize { self.numbers = numbers }
        }

        subscript(_ field: Field) -> UInt64 { numbers[field.rawValue] }

        var state: State? { State(rawValue: self[.state]) }
    }

    /// Returns the input that was the current one when the child ended. Nil if there was none.
    static func input(path: String) -> [UInt8]? {
        let snapshot = Snapshot(path: path)
        guard let state = snapshot.state, [.running, .tooSlow, .tooLarge].contains(state),
            let file = try? Data(contentsOf: URL(filePath: path)), file.count >= headerSize + Int(snapshot[.count])
        else { return nil }
        return [UInt8](file.dropFirst(headerSize).prefix(Int(snapshot[.count])))
    }
}
