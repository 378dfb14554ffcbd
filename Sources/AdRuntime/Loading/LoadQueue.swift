import AdCore
import SystemSupport

/// The load machine of one provider, and the actions that each of its loads has still to execute.
///
/// A load executes its actions in its caller's task, one after the other. Actions that the input of another load causes
/// are stored under the machine's lock, so that they keep the order in which the machine returned them.
final class LoadQueue: Sendable {
    typealias ID = LoadMachine.ID

    /// The stored actions of a load, and the task that waits for one.
    private struct Inbox {
        private var actions: [LoadMachine.Action] = []
        private var waiter: OneShot<Void>?

        /// Stores an action; returns the wait that ends.
        mutating func append(_ action: LoadMachine.Action) -> OneShot<Void>? {
            self.actions.append(action)
            return self.waiter.take()
        }

        /// The next action, or what ends when there is one.
        mutating func next() -> Next {
            guard self.actions.isEmpty else { return .action(self.actions.removeFirst()) }
            let waiter = OneShot<Void>()
            self.waiter = waiter
            return .none(until: waiter)
        }
    }

    private enum Next {
        case action(LoadMachine.Action)
        case none(until: OneShot<Void>)
    }

    private struct State {
        var machine: LoadMachine
        var inboxes: [ID: Inbox] = [:]

        /// Stores the actions that an input causes, and returns the waits that end.
        mutating func handle(_ input: LoadMachine.Input, at now: Moment, random: () -> UInt64) -> [OneShot<Void>] {
            var waiters: [OneShot<Void>] = []
            for action in self.machine.handle(input, at: now, random: random) {
                if let waiter = self.inboxes[action.load]?.append(action) ?? nil { waiters.append(waiter) }
            }
            return waiters
        }

        /// The next action of a load, or what ends when there is one; `finish` is the last.
        mutating func next(_ id: ID) -> Next {
            guard let next = self.inboxes[id]?.next() else {
                preconditionFailure("A finished load has no further actions.")
            }
            if case .action(.finish) = next { self.inboxes[id] = nil }
            return next
        }
    }

    private let services: AdServices
    private let state: Locked<State>

    init(_ machine: LoadMachine, services: AdServices) {
        self.services = services
        self.state = Locked(State(machine: machine))
    }

    /// Adds a load; its `next` must be called until it returns `finish`.
    func add(_ goal: LoadMachine.Goal, deadline: Moment) -> ID {
        let id = self.state.withLock { state in
            let id = state.machine.makeID()
            state.inboxes[id] = Inbox()
            return id
        }
        self.post(.start(id, goal, deadline: deadline))
        return id
    }

    /// Lets the machine handle an input, and wakes the loads that have something to execute.
    func post(_ input: LoadMachine.Input) {
        let now = self.services.clock.now
        let waiters = self.state.withLock { state in
            state.handle(input, at: now, random: self.services.random)
        }
        for waiter in waiters {
            self.services.clock.workStarted()
            waiter.set(())
        }
    }

    /// Marks an offer as shown, so that no other ad gets it.
    func markShown(_ reservation: OfferCache.ProposalID) { self.state.withLock { $0.machine.markShown(reservation) } }

    /// Ends the reservation of an offer.
    func release(_ reservation: OfferCache.ProposalID) { self.state.withLock { $0.machine.release(reservation) } }

    /// The next action of a load; while there is none, the caller's work is suspended.
    func next(_ id: ID) async -> LoadMachine.Action {
        while true {
            switch self.state.withLock({ $0.next(id) }) {
            case .action(let action): return action
            case .none(let waiter):
                self.services.clock.workEnded()
                await waiter.value
            }
        }
    }
}
