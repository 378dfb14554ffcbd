import AdCore
import WebStage

/// The JavaScript worlds of a page, with the protocol's identifiers (execution contexts).
struct ContextTable: Hashable, Sendable {
    /// The name of the host's isolated worlds.
    static let worldName = "yabbi"

    private struct Key: Hashable, Sendable {
        let session: DevToolsSession
        let world: EngineWorld
    }

    /// The latest context of each world; older ones belong to replaced documents.
    private var numbers: [Key: Int] = [:]

    /// The context of a world; nil if it does not exist.
    subscript(world: EngineWorld, session: DevToolsSession) -> Int? {
        self.numbers[Key(session: session, world: world)]
    }

    /// The world of a context; nil if it is unknown or was replaced.
    func world(_ number: Int?, in session: DevToolsSession?) -> EngineWorld? {
        guard let number, let session else { return nil }
        return self.numbers.first { $0.key.session == session && $0.value == number }?.key.world
    }

    /// Adds the world of a new context; nil if it is neither a main world nor the host's.
    mutating func add(_ context: AdJSON?, in session: DevToolsSession) -> EngineWorld? {
        guard let context, let number = context["id"]?.number.flatMap(Int.init(exactly:)),
            let frame = context["auxData"]?["frameId"]?.string
        else { return nil }
        let world: EngineWorld
        if context["auxData"]?["isDefault"] == true {
            world = .page(frame: frame)
        } else if context["name"]?.string == ContextTable.worldName {
            world = .host(frame: frame)
        } else {
            return nil
        }
        self.numbers[Key(session: session, world: world)] = number
        return world
    }

    /// Removes a destroyed context.
    mutating func remove(_ number: AdJSON?, in session: DevToolsSession) {
        let number = number?.number.flatMap(Int.init(exactly:))
        self.numbers = self.numbers.filter { $0.key.session != session || $0.value != number }
    }

    /// Removes all contexts of a session.
    mutating func remove(_ session: DevToolsSession) {
        self.numbers = self.numbers.filter { $0.key.session != session }
    }
}
