@testable import WebSocketCodec

/// A frame built byte by byte, valid or not.
struct RawFrame {
    var first: UInt8
    var payload: [UInt8] = []
    var mask: [UInt8]?
    /// The size of the extended length, 0, 2 or 8 bytes; nil for the shortest.
    var lengthBytes: Int?
    /// The length in the header; nil for that of the payload.
    var announced: UInt64?

    static func text(_ text: String, isFinal: Bool = true) -> RawFrame {
        RawFrame(first: (isFinal ? 0x80 : 0) | 1, payload: Array(text.utf8))
    }

    var bytes: [UInt8] {
        let length = self.announced ?? UInt64(self.payload.count)
        let extra = self.lengthBytes ?? (length < 126 ? 0 : length <= 0xFFFF ? 2 : 8)
        let marker: UInt8 = self.mask == nil ? 0 : 0x80
        var bytes = [self.first, marker | (extra == 0 ? UInt8(length) : extra == 2 ? 126 : 127)]
        bytes += (0..<extra).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * UInt64($0))) }
        guard let mask else { return bytes + self.payload }
        return bytes + mask + self.payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}

/// The result of reading bytes.
struct Reading: Equatable {
    var messages: [WebSocketMessage] = []
    var error: WebSocketClosure.Code?
    /// The number of bytes read when the error was found.
    var offset: Int?

    /// Reads bytes in chunks that end at the given offsets.
    init(_ bytes: [UInt8], as role: WebSocketRole = .client, longest: Int = 1 << 20, cuts: [Int] = []) {
        var reader = WebSocketReader(as: role, maxMessageSize: longest)
        var start = 0
        for end in cuts + [bytes.count] {
            do throws(WebSocketError) {
                try reader.read(bytes[start..<end]) { self.messages.append($0) }
            } catch {
                self.error = error.code
                self.offset = end
                return
            }
            start = end
        }
    }

    /// Reads the bytes one by one.
    static func byteByByte(_ bytes: [UInt8], as role: WebSocketRole = .client, longest: Int = 1 << 20) -> Reading {
        Reading(bytes, as: role, longest: longest, cuts: Array(1..<max(1, bytes.count)))
    }
}
