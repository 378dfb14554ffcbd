import AdCore
import PostgresClient
import SQLiteLedger
import SystemSupport

/// The beacons in the tables of a server: the queue of its operations and the thread that executes them.
final class ServerLedger: Sendable {
    private let address: PostgresAddress
    private let createsTables: Bool
    private let time: LedgerTime
    private let random: @Sendable () -> UInt64
    private let queue = LedgerQueue<ServerOperation>()

    init(
        _ address: PostgresAddress,
        createsTables: Bool,
        time: LedgerTime,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.address = address
        self.createsTables = createsTables
        self.time = time
        self.random = random
    }

    deinit { self.queue.close() }

    func close() async { await self.queue.closeAndWait() }

    func perform<Value: Sendable>(
        _ operation: (ServerOperation.Reply<Value>) -> ServerOperation
    ) async throws(ServerFailure) -> Value {
        let result = await withCheckedContinuation { reply in
            let operation = operation(reply)
            switch self.queue.append(operation) {
            case .accepted: break
            case .closed: operation.fail(ServerFailure(ServerOpener.closedError(self.address)))
            case .acceptedFirst: self.start()
            }
        }
        return try result.get()
    }

    private func start() {
        let opener = ServerOpener(self.address, createsTables: self.createsTables)
        guard !ServerWriter.start(ServerWriter(self.queue, opener, time: self.time, random: self.random)) else {
            return
        }
        let fix = "close some of the process's threads and create a new ledger"
        let error = LedgerError("the system can't create a thread for the ledger \(self.address.printable); \(fix)")
        for operation in self.queue.finish() { operation.fail(ServerFailure(error)) }
    }
}
