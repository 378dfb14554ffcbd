import WebSocketCodec

extension Sandbox.SocketFault {
    /// Whether it is over when something was said with it.
    var actsOnce: Bool {
        switch self {
        case .binary, .invalidUTF8, .masked, .tooLong, .deepJSON, .brokenJSON: true
        // What acts on one of two messages has to last until both are said.
        case .noPing, .dropMidFrame, .wrongOrder, .refuseInit, .refuseIdentify, .flood, .silence: false
        }
    }

    /// What is said, with the fault in it.
    func damaged(_ acts: [SocketAct]) -> [SocketAct] {
        switch self {
        case .noPing, .wrongOrder, .refuseInit, .refuseIdentify, .flood: return acts
        case .silence: return []
        case .dropMidFrame:
            guard let frame = acts.lazy.compactMap(\.message).first.map(Self.writer.frame) else { return acts }
            return [.raw(Array(frame.prefix(frame.count / 2))), .breakOff]
        case .masked:
            guard let place = acts.firstIndex(where: { $0.message != nil }), let message = acts[place].message else {
                return acts
            }
            var masked = acts
            masked[place] = .raw(WebSocketWriter(as: .client).frame(message, mask: 0x5A17_C3E9))
            return masked
        case .binary: return [.send(.binary(Sandbox.Fault.Kind.garbageBytes))] + acts
        case .invalidUTF8: return [.raw(Self.invalidText)] + acts
        case .tooLong: return [.send(.text(Self.longText))] + acts
        case .deepJSON: return [.send(.text(Self.deepText))] + acts
        case .brokenJSON: return [.send(.text(#"{"cid":110,"engagement_uid":"engage"#))] + acts
        }
    }

    /// How deep `deepJSON` is nested.
    static let deepest = 100_000

    private static let writer = WebSocketWriter(as: .server)

    /// A text frame whose letter breaks off.
    private static var invalidText: [UInt8] {
        var frame = self.writer.frame(.binary(Array(#"{"cid":110,"engagement_uid":""#.utf8) + [0xC3, 0x28]))
        // A text, not bytes.
        frame[0] = 0x81
        return frame
    }

    private static var longText: String {
        #"{"cid":110,"engagement_uid":"engagement-too-long","template_html":""#
            + String(repeating: "x", count: (1 << 20) + 1) + #""}"#
    }

    private static var deepText: String {
        #"{"cid":110,"params":"# + String(repeating: "[", count: self.deepest)
            + String(repeating: "]", count: self.deepest) + "}"
    }
}

extension WebSocketWriter {
    /// A server's frame: without a mask.
    fileprivate func frame(_ message: WebSocketMessage) -> [UInt8] { self.frame(message, mask: 0) }
}

extension SocketAct {
    /// The message, where it is one.
    fileprivate var message: WebSocketMessage? { if case .send(let message) = self { message } else { nil } }
}
