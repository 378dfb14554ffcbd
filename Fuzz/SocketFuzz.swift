import WebSocketCodec

/// The fuzzer's entry point: bytes from the peer of a WebSocket, for a client and for a server.
///
/// The first byte decides where they are split: the messages must be the same however the bytes are split.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let cut = bytes.first else { return 0 }
    let stream = Array(bytes.dropFirst())
    for role in [WebSocketRole.client, .server] {
        let whole = read(stream, as: role, piece: max(1, stream.count))
        let pieces = read(stream, as: role, piece: 1 + Int(cut) % 64)
        precondition(whole == pieces, "the result depends on chunking")
        // A message that was read can be written, and is read as the same message.
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

private struct ReadResult: Equatable {
    var messages: [WebSocketMessage] = []
    var error: WebSocketError?
}

private func read(_ bytes: [UInt8], as role: WebSocketRole, piece: Int) -> ReadResult {
    var reader = WebSocketReader(as: role, maxMessageSize: 4096)
    var result = ReadResult()
    var rest = bytes[...]
    while !rest.isEmpty, result.error == nil {
        do throws(WebSocketError) {
            try reader.read(rest.prefix(piece)) { result.messages.append($0) }
        } catch {
            result.error = error
        }
        rest = rest.dropFirst(piece)
        precondition(reader.pending <= 4096, "more is held than a message may have")
    }
    return result
}
