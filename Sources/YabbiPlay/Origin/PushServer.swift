import AdCore
import PlayConsole
import SandboxSSP

/// A server that pushes ads over a WebSocket.
protocol PushServer: AdOrigin {
    /// The URL for connections.
    var socket: SocketURL { get }
    /// The URL of Smartico's calls over HTTP; nil for the provider's own.
    var services: HTTPURL? { get }
    /// How a user makes this server push; nil if it does not push on request.
    var pushNotice: String? { get }
    /// Pushes a message to a user, if this server does so on request.
    func push(_ push: Sandbox.Push, to user: String)
}

extension PushServer {
    var pushServer: (any PushServer)? { self }
}

/// A provider's server, which pushes when it wants to.
struct RemoteSocket: PushServer {
    let socket: SocketURL

    var services: HTTPURL? { nil }
    var pushNotice: String? { nil }

    func push(_ push: Sandbox.Push, to user: String) {}
}

extension BuiltInServer: PushServer {
    var socket: SocketURL { SocketURL(self.sandbox.url(Sandbox.socketPath) ?? self.sandbox.baseURL) }
    var services: HTTPURL? { self.sandbox.url("/services/public") }
    var pushNotice: String? { "built-in server: \(self.sandbox.baseURL); POST /sandbox/push pushes a message" }

    func push(_ push: Sandbox.Push, to user: String) { self.sandbox.push(push, to: user) }
}
