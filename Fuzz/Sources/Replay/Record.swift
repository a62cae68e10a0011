// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that a child and its parent share. The child maps it into memory and stores the current input there, so that
/// the parent has the input even after a crash.
enum Record {
    /// The numbers at the start of the file, eight bytes each.
    enum Field: Int, CaseIterable {
        case state
        /// The time at the start of the current input, on the monotonic clock, in nanoseconds.
        case started
        /// The number of the current input.
        case number
        /// The index of the file that the current input was made from.
        case base
        /// The size of the current input in bytes.
        case count
        /// The number of inputs that finished.
        case finished
        /// The processor time of the slowest input, in nanoseconds.
        case slowest
        /// The processor time of the current input or its growth of memory, if it exceeds the limit.
        case measured
        case checksum
    }

    enum State: UInt64 {
        /// `between` means that the next input is being made. A crash in this state is a fault of this program.
        case reading, running, between, finished, unreadable, noInputs, tooSlow, tooLarge
    }

    static let headerSize = Field.allCases.count * 8

    /// The child's access to the file.
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

        /// Stores an input and sets the state to running.
        func begin(_ bytes: UnsafeRawBufferPointer, number: Int, base: Int) {
            self[.count] = UInt64(bytes.count)
            if let start = bytes.baseAddress { (memory + headerSize).copyMemory(from: start, byteCount: bytes.count) }
            self[.number] = UInt64(number)
            self[.base] = UInt64(base)
            self[.started] = Platform.monotonicNanoseconds()
            set(.running)
        }
    }

    /// The parent's copy of the file.
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

    /// Returns the input that ran when the child ended, or nil if no input ran.
    static func input(path: String) -> [UInt8]? {
        let snapshot = Snapshot(path: path)
        guard let state = snapshot.state, [.running, .tooSlow, .tooLarge].contains(state),
            let file = try? Data(contentsOf: URL(filePath: path)), file.count >= headerSize + Int(snapshot[.count])
        else { return nil }
        return [UInt8](file.dropFirst(headerSize).prefix(Int(snapshot[.count])))
    }
}
