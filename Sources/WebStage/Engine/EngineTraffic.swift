/// How much was sent over an engine's connection, and received.
package struct EngineTraffic: Hashable, Sendable {
    /// The commands.
    package var commands = 0
    /// The commands whose replies are awaited: each is a round trip, unless several are sent together.
    package var awaited = 0
    /// The messages of the engine that were read: replies and events.
    package var messages = 0

    package init() {}
}
