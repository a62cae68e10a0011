// SPDX-License-Identifier: Apache-2.0

// The functions that mutants call. Each mutated module has a copy of this file. A call is cheaper for the type checker than the
// operator that it replaces, because a function isn't overloaded as much.

import MutationSwitch

@inline(__always) @usableFromInline func mutOn(_ number: Int32) -> Bool { mutation_is(number) }
@inline(__always) @usableFromInline func mutNot(_ number: Int32, _ value: Bool) -> Bool { mutation_is(number) != value }
@inline(__always) func mutTrue(_ number: Int32, _ value: Bool) -> Bool { mutation_is(number) || value }
@inline(__always) func mutFalse(_ number: Int32, _ value: Bool) -> Bool { !mutation_is(number) && value }
/// Doesn't evaluate the value.
@inline(__always) func mutUncharged(_ number: Int32, _ value: @autoclosure () throws -> Bool) rethrows -> Bool {
    if mutation_is(number) { return true }
    return try value()
}
@inline(__always) func mutAnd(_ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
    if mutation_is(number) { return left ? true : try right() }
    return left ? try right() : false
}
@inline(__always) func mutOr(_ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
    if mutation_is(number) { return left ? try right() : false }
    return left ? true : try right()
}

// The first number changes whether equal values pass, the next one compares for equality.

@inline(__always) func mutLT<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    if mutation_is(number) { return a <= b }
    if mutation_is(number + 1) { return a == b }
    return a < b
}
@inline(__always) func mutLE<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    if mutation_is(number) { return a < b }
    if mutation_is(number + 1) { return a == b }
    return a <= b
}
@inline(__always) func mutGT<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    if mutation_is(number) { return a >= b }
    if mutation_is(number + 1) { return a == b }
    return a > b
}
@inline(__always) func mutGE<T: Comparable>(_ number: Int32, _ a: T, _ b: T) -> Bool {
    if mutation_is(number) { return a > b }
    if mutation_is(number + 1) { return a == b }
    return a >= b
}

@inline(__always) @usableFromInline func mutPlus<T: FixedWidthInteger>(_ number: Int32, _ value: T) -> T {
    mutation_is(number) ? value &+ 1 : value
}
@inline(__always) func mutMinus<T: FixedWidthInteger>(_ number: Int32, _ value: T) -> T {
    mutation_is(number) ? value &- 1 : value
}

@inline(__always) func mutNil<T>(_ number: Int32, _ value: T?) -> T? { mutation_is(number) ? nil : value }
@inline(__always) func mutEmpty<T: RangeReplaceableCollection>(_ number: Int32, _ value: T) -> T {
    mutation_is(number) ? T() : value
}
@inline(__always) func mutEmpty<T: SetAlgebra>(_ number: Int32, _ value: T) -> T { mutation_is(number) ? T() : value }
@inline(__always) func mutEmpty<K, V>(_ number: Int32, _ value: [K: V]) -> [K: V] { mutation_is(number) ? [:] : value }

/// Drops the element of the active mutant among `count` numbers.
@inline(__always) func mutDrop<T>(_ number: Int32, _ count: Int32, _ value: [T]) -> [T] {
    for index in 0..<count where mutation_is(number + index) {
        var value = value
        value.remove(at: Int(index))
        return value
    }
    return value
}
@_disfavoredOverload
@inline(__always) func mutDrop<T: SetAlgebra>(_ number: Int32, _ count: Int32, _ value: [T.Element]) -> T {
    T(mutDrop(number, count, value))
}
@_disfavoredOverload
@inline(__always) func mutDrop<K, V>(_ number: Int32, _ count: Int32, _ value: KeyValuePairs<K, V>) -> [K: V] {
    [K: V](uniqueKeysWithValues: mutDrop(number, count, value.map { ($0.key, $0.value) }))
}

/// Changes a text.
@usableFromInline func mutText(_ number: Int32, _ value: String) -> String { mutation_is(number) ? value + "x" : value }

/// The elements of a sequence, or only the first, all but the first, all but the last, or none.
struct MutSequence<Base: Sequence>: Sequence {
    let base: Base
    let number: Int32
    let canBeEmpty: Bool

    struct Iterator: IteratorProtocol {
        var base: Base.Iterator
        let number: Int32
        let isEmpty: Bool
        var ahead: Base.Element?
        var isStarted = false

        mutating func next() -> Base.Element? {
            let isFirst = !isStarted
            isStarted = true
            if isEmpty || mutation_is(number) && !isFirst { return nil }
            if mutation_is(number + 1), isFirst { _ = base.next() }
            guard mutation_is(number + 2) else { return base.next() }
            guard let current = isFirst ? base.next() : ahead else { return nil }
            ahead = base.next()
            return ahead == nil ? nil : current
        }
    }

    func makeIterator() -> Iterator {
        Iterator(base: base.makeIterator(), number: number, isEmpty: canBeEmpty && mutation_is(number + 3))
    }
}
@inline(__always) func mutLoop<Base: Sequence>(_ number: Int32, _ base: Base) -> MutSequence<Base> {
    MutSequence(base: base, number: number, canBeEmpty: true)
}
@inline(__always) func mutFew<Base: Sequence>(_ number: Int32, _ base: Base) -> MutSequence<Base> {
    MutSequence(base: base, number: number, canBeEmpty: false)
}
