import Foundation

/// Runs asynchronous work to its end while the main thread waits, so that verbs stay plain functions with one place where the
/// process ends (see `Program`).
func waiting<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let box = Outcome<Value>()
    Task {
        do { box.result = .success(try await work()) } catch { box.result = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let result = box.result else { throw CommandFailure("the work ended without an outcome") }
    return try result.get()
}

/// Written by the task before it signals, read by the main thread after it has waited for that: never at the same time.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}
