extension AdJSON {
    /// The order of members in the text.
    public enum Order: Sendable {
        /// The order of the value.
        case kept
        /// Sorted by the UTF-8 of their names, so that equal objects have the same text.
        case sorted
    }

    /// The value as one line of text; slashes are not escaped.
    public func text(_ order: Order = .kept) -> String { String(decoding: self.bytes(order), as: UTF8.self) }

    /// The value as one line in UTF-8.
    public func bytes(_ order: Order = .kept) -> [UInt8] {
        var output: [UInt8] = []
        self.write(order, to: &output)
        return output
    }

    private func write(_ order: Order, to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.text.utf8)
        case .string(let text): AdJSON.write(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(order, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(var members):
            if order == .sorted { members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                AdJSON.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(order, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        var text = text
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            // Runs of bytes without escapes are copied at once.
            var start = 0
            for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                self.escape(byte, to: &output)
                start = index + 1
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x09: output.append(UInt8(ascii: "t"))
        default:
            let digits = String(byte, radix: 16)
            output.append(contentsOf: ("u00" + (digits.utf8.count == 1 ? "0" : "") + digits).utf8)
        }
    }
}
