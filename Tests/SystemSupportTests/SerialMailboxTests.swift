import Testing

@testable import SystemSupport

@Suite("A serial mailbox")
struct SerialMailboxTests {
    @Test("items are handled in order and one at a time, also those that are posted meanwhile")
    func order() {
        let mailbox = SerialMailbox<Int>()
        let handled = Locked<[Int]>([])
        mailbox.post(1) { item in
            handled.withLock { $0.append(item) }
            guard item < 3 else { return }
            // As for another thread, the mailbox is being drained here.
            mailbox.post(item + 1) { _ in Issue.record("two items are handled at once") }
            #expect(handled.withLock(\.count) == item)
        }
        #expect(handled.withLock { $0 } == [1, 2, 3])
    }

    @Test("urgent items are handled before all waiting items, in their own order")
    func urgent() {
        let mailbox = SerialMailbox<String>()
        let handled = Locked<[String]>([])
        for item in ["a", "b"] { mailbox.enqueue(item) }
        mailbox.enqueue("urgent 1", isUrgent: true)
        mailbox.drain { item in
            handled.withLock { $0.append(item) }
            guard item == "a" else { return }
            mailbox.enqueue("c")
            mailbox.enqueue("urgent 2", isUrgent: true)
            mailbox.enqueue("urgent 3", isUrgent: true)
        }
        #expect(handled.withLock { $0 } == ["urgent 1", "a", "urgent 2", "urgent 3", "b", "c"])
    }

    @Test("an urgent item that is posted while another is handled comes after those that were waiting")
    func urgentMeanwhile() {
        for hasOthers in [false, true] {
            let mailbox = SerialMailbox<String>()
            let handled = Locked<[String]>([])
            if hasOthers { mailbox.enqueue("a") }
            for item in ["urgent 1", "urgent 2"] { mailbox.enqueue(item, isUrgent: true) }
            mailbox.drain { item in
                handled.withLock { $0.append(item) }
                if item == "urgent 1" { mailbox.enqueue("urgent 3", isUrgent: true) }
                if item == "urgent 3" { mailbox.enqueue("urgent 4", isUrgent: true) }
            }
            let urgent = (1...4).map { "urgent \($0)" }
            #expect(handled.withLock { $0 } == (hasOthers ? urgent + ["a"] : urgent))
        }
    }
}
