import AdCore

/// A slice of bytes in another buffer.
package typealias ByteView = Slice<UnsafeBufferPointer<UInt8>>

extension ByteView {
    /// Whether the bytes end with an ASCII text, ignoring ASCII case.
    package func endsIgnoringCase(_ text: StaticString) -> Bool {
        self.count >= text.utf8CodeUnitCount
            && self[(self.endIndex - text.utf8CodeUnitCount)...].startsIgnoringCase(text)
    }

    /// The bytes without white space at the beginning.
    package var withoutLeadingWhiteSpace: ByteView {
        var start = self.startIndex
        while start < self.endIndex, self[start].isWhiteSpace { start += 1 }
        return self[start...]
    }

    /// The bytes without white space at either end.
    package var withoutWhiteSpace: ByteView {
        let start = self.withoutLeadingWhiteSpace
        var end = start.endIndex
        while end > start.startIndex, start[end - 1].isWhiteSpace { end -= 1 }
        return start[..<end]
    }

    /// The index of a byte at or after another index.
    package func index(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < self.endIndex {
            if self[index] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The bytes as text.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
