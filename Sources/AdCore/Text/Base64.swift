/// Base64 (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes in the standard alphabet with padding.
    package static func text(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { output in
            self.alphabet.withUnsafeBufferPointer { alphabet in
                bytes.withUnsafeBufferPointer { bytes in
                    var place = 0
                    for start in stride(from: 0, to: bytes.count, by: 3) {
                        let left = bytes.count - start
                        let bits =
                            UInt32(bytes[start]) << 16 | (left > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
                            | (left > 2 ? UInt32(bytes[start + 2]) : 0)
                        output[place] = alphabet[Int(bits >> 18)]
                        output[place + 1] = alphabet[Int(bits >> 12 & 63)]
                        output[place + 2] = left > 1 ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "=")
                        output[place + 3] = left > 2 ? alphabet[Int(bits & 63)] : UInt8(ascii: "=")
                        place += 4
                    }
                }
            }
            return count
        }
    }

    /// Encodes bytes in the URL-safe alphabet without padding (RFC 4648 §5).
    package static func addressText(_ bytes: [UInt8]) -> String {
        let letters = self.text(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }.map { letter in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: letter
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Decodes a padded text in the standard alphabet; nil if it is invalid.
    package static func bytes(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { letters in
            guard letters.count % 4 == 0 else { return nil }
            let padding = letters.suffix(2).count { $0 == UInt8(ascii: "=") }
            let size = letters.count / 4 * 3 - padding
            var isSuccess = true
            let bytes = [UInt8](unsafeUninitializedCapacity: letters.count / 4 * 3) { output, count in
                var place = 0
                for start in stride(from: 0, to: letters.count, by: 4) {
                    var bits: UInt32 = 0
                    for offset in 0..<4 {
                        let letter = letters[start + offset]
                        let isPadding = letter == UInt8(ascii: "=") && start + offset >= letters.count - padding
                        let value = isPadding ? 0 : self.values[Int(letter)]
                        if value == 0xFF { isSuccess = false }
                        bits = bits << 6 | UInt32(value & 63)
                    }
                    output[place] = UInt8(truncatingIfNeeded: bits >> 16)
                    output[place + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    output[place + 2] = UInt8(truncatingIfNeeded: bits)
                    place += 3
                }
                count = size
            }
            return isSuccess ? bytes : nil
        }
    }
}
