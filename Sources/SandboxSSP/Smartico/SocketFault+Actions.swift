import LoopbackServer
import WebSocketCodec

extension Sandbox.SocketFault {
    /// Whether the fault ends after it acted on one message.
    var actsOnce: Bool {
        switch self {
        case .binary, .invalidUTF8, .masked, .tooLong, .deepJSON, .brokenJSON: true
        // These act on two messages, or until the socket closes.
        case .noPing, .dropMidFrame, .wrongOrder, .refuseInit, .refuseIdentify, .flood, .silence: false
        }
    }

    /// The actions with the fault applied.
    func applied(to actions: [SocketAction]) -> [SocketAction] {
        switch self {
        case .noPing, .wrongOrder, .refuseInit, .refuseIdentify, .flood: return actions
        case .silence: return []
        case .dropMidFrame:
            guard let frame = actions.lazy.compactMap(\.message).first.map(Self.writer.frame) else { return actions }
            return [.raw(Array(frame.prefix(frame.count / 2))), .disconnect]
        case .masked:
            guard let index = actions.firstIndex(where: { $0.message != nil }), let message = actions[index].message
            else {
                return actions
            }
            var masked = actions
            masked[index] = .raw(WebSocketWriter(as: .client).frame(message, mask: 0x5A17_C3E9))
            return masked
        case .binary: return [.send(.binary(Sandbox.Fault.Kind.garbageBytes))] + actions
        case .invalidUTF8: return [.raw(Self.invalidText)] + actions
        case .tooLong: return [.send(.text(Self.longText))] + actions
        case .deepJSON: return [.send(.text(Self.deepText))] + actions
        case .brokenJSON: return [.send(.text(#"{"cid":110,"engagement_uid":"engage"#))] + actions
        }
    }

    /// The nesting depth of `deepJSON`.
    static let maxDepth = 100_000

    private static let writer = WebSocketWriter(as: .server)

    /// A text frame with an incomplete UTF-8 sequence.
    private static var invalidText: [UInt8] {
        var frame = self.writer.frame(.binary(Array(#"{"cid":110,"engagement_uid":""#.utf8) + [0xC3, 0x28]))
        // FIN and the opcode for text instead of binary (RFC 6455 §5.2).
        frame[0] = 0x81
        return frame
    }

    private static var longText: String {
        #"{"cid":110,"engagement_uid":"engagement-too-long","template_html":""#
            + String(repeating: "x", count: (1 << 20) + 1) + #""}"#
    }

    private static var deepText: String {
        #"{"cid":110,"params":"# + String(repeating: "[", count: self.maxDepth)
            + String(repeating: "]", count: self.maxDepth) + "}"
    }
}

extension WebSocketWriter {
    /// An unmasked frame, as a server sends it.
    fileprivate func frame(_ message: WebSocketMessage) -> [UInt8] { self.frame(message, mask: 0) }
}

extension SocketAction {
    /// The message of a send action.
    fileprivate var message: WebSocketMessage? { if case .send(let message) = self { message } else { nil } }
}
