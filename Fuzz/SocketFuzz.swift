import WebSocketCodec

/// What the fuzzer calls: bytes that the other end of a connection sends, to a client and to a server.
///
/// The first byte says where they are cut: however they arrive, the same messages must come of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let cut = bytes.first else { return 0 }
    let stream = Array(bytes.dropFirst())
    for role in [WebSocketRole.client, .server] {
        let whole = read(stream, as: role, piece: max(1, stream.count))
        let pieces = read(stream, as: role, piece: 1 + Int(cut) % 64)
        precondition(whole == pieces, "it matters how the bytes arrive")
        // What was understood can be said again, and is understood as the same.
        let writer = WebSocketWriter(as: role == .client ? .server : .client)
        for message in whole.messages {
            let again = read(writer.frame(message, mask: 0x1234_5678), as: role, piece: 7)
            precondition(again.messages == [message], "\(message) came back as \(again)")
        }
    }
    var handshake = WebSocketHandshake(random: (1, 2))
    if let rest = try? handshake.read(stream) { precondition(rest.count <= stream.count) }
    return 0
}

private struct Heard: Equatable {
    var messages: [WebSocketMessage] = []
    var fault: WebSocketFault?
}

private func read(_ bytes: [UInt8], as role: WebSocketRole, piece: Int) -> Heard {
    var reader = WebSocketReader(as: role, maxMessageSize: 4096)
    var heard = Heard()
    var rest = bytes[...]
    while !rest.isEmpty, heard.fault == nil {
        do throws(WebSocketFault) {
            try reader.read(rest.prefix(piece)) { heard.messages.append($0) }
        } catch {
            heard.fault = error
        }
        rest = rest.dropFirst(piece)
        precondition(reader.pending <= 4096, "more is held than a message may have")
    }
    return heard
}
