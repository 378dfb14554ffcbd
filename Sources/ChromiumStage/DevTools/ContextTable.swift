import AdCore
import WebStage

/// The worlds of scripts that exist in a page, by the numbers that the protocol has for them (execution contexts).
struct ContextTable: Hashable, Sendable {
    /// The name of the worlds in which our scripts run.
    static let worldName = "yabbi"

    private struct Key: Hashable, Sendable {
        let session: DevToolsSession
        let world: EngineWorld
    }

    /// The newest of each: an older one belongs to a document that was replaced.
    private var numbers: [Key: Int] = [:]

    /// The number of a world; nil where it does not exist.
    subscript(world: EngineWorld, session: DevToolsSession) -> Int? {
        self.numbers[Key(session: session, world: world)]
    }

    /// The world with a number; nil where it is none of these, or was replaced.
    func world(_ number: Int?, in session: DevToolsSession?) -> EngineWorld? {
        guard let number, let session else { return nil }
        return self.numbers.first { $0.key.session == session && $0.value == number }?.key.world
    }

    /// Adds the world of an event; returns it where it is one of these.
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

    /// Removes one world.
    mutating func remove(_ number: AdJSON?, in session: DevToolsSession) {
        let number = number?.number.flatMap(Int.init(exactly:))
        self.numbers = self.numbers.filter { $0.key.session != session || $0.value != number }
    }

    /// Removes all worlds of a session.
    mutating func remove(_ session: DevToolsSession) {
        self.numbers = self.numbers.filter { $0.key.session != session }
    }
}
