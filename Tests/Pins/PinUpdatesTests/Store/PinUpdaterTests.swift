// SPDX-License-Identifier: Apache-2.0

import Foundation
import PKIX
import PinTestSupport
import ServerTrust
import Testing

@testable import ServerTrustPins

@Suite("Store updates")
struct PinUpdaterTests {
    /// Provides one document or none, and counts requests.
    private final class Source: PinListSource {
        let document_: Locked<[UInt8]?>
        let count = Locked(0)

        init(_ document: [UInt8]?) { self.document_ = Locked(document) }

        func document() async throws -> [UInt8] {
            count.withLock { $0 += 1 }
            guard let document = document_.withLock({ $0 }) else { throw CocoaError(.fileNoSuchFile) }
            return document
        }
    }

    @Test("The updater uses the recovery channel exactly if the source has no acceptable list")
    func recovery() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let source = Source(try fixture.list(2).bytes)
            let recovery = Source(try fixture.list(3).bytes)
            let updater = PinUpdater(store: store, source: source, recovery: recovery, clock: { ListFixture.now })
            #expect(await updater.update())
            #expect(store.sequence == 2)
            #expect(recovery.count.withLock { $0 } == 0)
            // "No new list" is also a valid answer.
            #expect(await updater.update())
            #expect(recovery.count.withLock { $0 } == 0)
            source.document_.withLock { $0 = nil }
            #expect(await updater.update())
            #expect(store.sequence == 3)
            // A document that an interceptor replaced changes nothing.
            source.document_.withLock { $0 = Array("<html>".utf8) }
            recovery.document_.withLock { $0 = Array("<html>".utf8) }
            #expect(await updater.update() == false)
            #expect(store.sequence == 3)
            #expect(recovery.count.withLock { $0 } == 2)
        }
    }

    @Test("The updater uses the recovery channel if the source still has an expired list")
    func stuck() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let source = Source(try fixture.list(2).bytes)
            let late = try fixture.payload(3, expires: ListFixture.now.advanced(by: 90 * ListFixture.day))
            let recovery = Source(try SignedPinList.signed(late, by: [fixture.office]).bytes)
            let clock = Locked(ListFixture.now)
            let updater = PinUpdater(
                store: store, source: source, recovery: recovery, clock: { clock.withLock { $0 } })
            #expect(await updater.update())
            #expect(store.sequence == 2)
            clock.withLock { $0 = ListFixture.now.advanced(by: 31 * ListFixture.day) }
            #expect(await updater.update())
            #expect(store.sequence == 3)
            #expect(recovery.count.withLock { $0 } == 1)
        }
    }

    @Test("Delays grow with each failure and return to the interval after a success")
    func backOff() async throws {
        try await withFolder { folder in
            let fixture = try ListFixture()
            let store = try fixture.store(folder)
            let source = Source(nil)
            let delays = Locked<[Duration]>([])
            let schedule = PinUpdateSchedule(interval: .seconds(1000), firstRetry: .seconds(10))
            let list = try fixture.list(2).bytes
            let updater = PinUpdater(
                store: store, source: source, schedule: schedule, clock: { ListFixture.now },
                sleep: { delay in
                    let count = delays.withLock { delays in
                        delays.append(delay)
                        return delays.count
                    }
                    if count == 9 { source.document_.withLock { $0 = list } }
                    if count == 10 { throw CancellationError() }
                })
            await updater.run()
            let waited = delays.withLock { $0 }
            for (index, whole) in [10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000].enumerated() {
                let range = Duration.seconds(whole) / 2...Duration.seconds(whole)
                #expect(range.contains(waited[index]), "\(index): \(waited[index])")
            }
            #expect(waited.count == 10)
            #expect(store.sequence == 2)
        }
    }

    @Test("Delays are between half and all of the nominal time, whatever the numbers")
    func delays() {
        let schedule = PinUpdateSchedule(interval: .seconds(100), firstRetry: .seconds(30))
        #expect(schedule.delay(afterFailures: 0, random: 0) == .seconds(50))
        #expect(schedule.delay(afterFailures: 0, random: 1) == .seconds(100))
        #expect(schedule.delay(afterFailures: 1, random: 0) == .seconds(15))
        #expect(schedule.delay(afterFailures: 2, random: 1) == .seconds(60))
        #expect(schedule.delay(afterFailures: 3, random: 1) == .seconds(100))
        #expect(schedule.delay(afterFailures: 62, random: 1) == .seconds(100))
        #expect(PinUpdateSchedule(interval: .zero).delay(afterFailures: 62, random: 1) == .zero)
    }
}
