@testable import WebSocketCodec

/// Frames as no writer would make them, byte by byte.
struct RawFrame {
    var first: UInt8
    var payload: [UInt8] = []
    var mask: [UInt8]?
    /// How many bytes the length takes beyond the seven bits: 0, 2 or 8; nil for as many as it needs.
    var lengthBytes: Int?
    /// The length that is announced; nil for that of the payload.
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

/// What a reader made of some bytes.
struct Reading: Equatable {
    var messages: [WebSocketMessage] = []
    var fault: WebSocketClosure.Code?
    /// How many bytes were read when the fault was found.
    var place: Int?

    /// Reads bytes in pieces that end at these places.
    init(_ bytes: [UInt8], as role: WebSocketRole = .client, longest: Int = 1 << 20, cuts: [Int] = []) {
        var reader = WebSocketReader(as: role, longest: longest)
        var start = 0
        for end in cuts + [bytes.count] {
            do throws(WebSocketFault) {
                try reader.read(bytes[start..<end]) { self.messages.append($0) }
            } catch {
                self.fault = error.code
                self.place = end
                return
            }
            start = end
        }
    }

    /// Reads byte by byte.
    static func slowly(_ bytes: [UInt8], as role: WebSocketRole = .client, longest: Int = 1 << 20) -> Reading {
        Reading(bytes, as: role, longest: longest, cuts: Array(1..<max(1, bytes.count)))
    }
}
