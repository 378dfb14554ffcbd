package import AdCore
import CLibXML2
import LibC

/// The attributes of one start tag as libxml2 passes them: names in lower case, references decoded.
///
/// They are valid only during the callback.
package struct HTMLAttributes {
    private let pairs: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

    init(_ pairs: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) { self.pairs = pairs }

    /// Whether there are no attributes.
    package var isEmpty: Bool { self.pairs == nil }

    /// Whether there is an attribute with this name, with or without a value.
    package func has(_ name: StaticString) -> Bool { self.index(of: name) != nil }

    /// The value of an attribute; nil if it is absent or has no value.
    package func value(_ name: StaticString) -> AttributeValue? {
        guard let index = self.index(of: name), let bytes = self.pairs?[index + 1] else { return nil }
        return AttributeValue(bytes)
    }

    /// Whether the attribute at an index has this name, ignoring ASCII case.
    package func isNamed(_ name: ByteView, at index: Int) -> Bool {
        guard let known = self.pairs?[2 * index] else { return false }
        for (offset, byte) in name.enumerated() where known[offset] != byte.lowercased { return false }
        return known[name.count] == 0
    }

    /// The value of the attribute at an index where there is one; nil if it has none.
    package func value(at index: Int) -> AttributeValue? { self.pairs?[2 * index + 1].map(AttributeValue.init) }

    /// All attributes by name; of two with the same name the first counts.
    package var all: [String: String] {
        guard let pairs = self.pairs else { return [:] }
        var all: [String: String] = [:]
        var index = 0
        while let name = pairs[index] {
            let key = String(cString: name)
            if all[key] == nil { all[key] = pairs[index + 1].map { AttributeValue($0).text } ?? "" }
            index += 2
        }
        return all
    }

    /// Whether an attribute whose name has this prefix, and its value, satisfy a predicate.
    package func contains(prefix: StaticString, where holds: (UnsafePointer<UInt8>, AttributeValue) -> Bool) -> Bool {
        guard let pairs = self.pairs else { return false }
        var index = 0
        while let name = pairs[index] {
            if strncmp(name.chars, prefix.chars, prefix.utf8CodeUnitCount) == 0, let value = pairs[index + 1],
                holds(name, AttributeValue(value))
            {
                return true
            }
            index += 2
        }
        return false
    }

    private func index(of wanted: StaticString) -> Int? {
        guard let pairs = self.pairs else { return nil }
        var index = 0
        while let name = pairs[index] {
            if name.pointee == wanted.utf8Start.pointee, strcmp(name.chars, wanted.chars) == 0 { return index }
            index += 2
        }
        return nil
    }
}

/// The value of an attribute.
package struct AttributeValue {
    package let bytes: UnsafeBufferPointer<UInt8>

    init(_ terminated: UnsafePointer<UInt8>) {
        self.bytes = UnsafeBufferPointer(start: terminated, count: strlen(terminated.chars))
    }

    package var text: String { String(decoding: self.bytes, as: UTF8.self) }

    /// The value as a URL; nil if it is blank.
    package var template: URLTemplate? { URLTemplate(self.bytes[...].withoutWhiteSpace.text) }

    /// Whether the value is this word, ignoring ASCII case.
    package func isWord(_ word: StaticString) -> Bool {
        self.bytes.count == word.utf8CodeUnitCount && self.bytes[...].startsIgnoringCase(word)
    }

    /// Whether the value contains this text, ignoring ASCII case.
    package func contains(_ text: StaticString) -> Bool {
        guard self.bytes.count >= text.utf8CodeUnitCount else { return false }
        return (0...(self.bytes.count - text.utf8CodeUnitCount)).contains {
            self.bytes[$0...].startsIgnoringCase(text)
        }
    }

    /// The value as pixels (HTML Living Standard, "rules for parsing dimension values"); nil for a percentage.
    package var pixels: Double? {
        guard let (number, end) = Measure.number(self.bytes[...]) else { return nil }
        return end < self.bytes.count && self.bytes[end] == UInt8(ascii: "%") ? nil : number
    }

    /// The first URL of a `srcset`.
    package var firstOfSet: URLTemplate? {
        let start = self.bytes.firstIndex { !$0.isWhiteSpace && $0 != UInt8(ascii: ",") } ?? self.bytes.count
        let address = self.bytes[start...].prefix { !$0.isWhiteSpace }
        return URLTemplate(String(decoding: address, as: UTF8.self))
    }
}

/// Numbers with units.
package enum Measure {
    /// The unsigned number at the beginning, after white space, and the index after it.
    package static func number(_ bytes: ByteView) -> (value: Double, end: Int)? {
        let start = bytes.withoutLeadingWhiteSpace.startIndex
        var end = start
        var value = 0.0
        var scale = 1.0
        var hasPoint = false
        var digits = 0
        while end < bytes.endIndex, end - start < 32 {
            let byte = bytes[end]
            if byte.isDigit {
                digits += 1
                value = value * 10 + Double(byte - 0x30)
                if hasPoint { scale *= 10 }
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                break
            }
            end += 1
        }
        return digits > 0 ? (value / scale, end) : nil
    }
}

extension StaticString {
    /// The text as a C string; it is NUL-terminated.
    fileprivate var chars: UnsafePointer<CChar> {
        UnsafeRawPointer(self.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

extension UnsafePointer<UInt8> {
    /// The text as a C string; it is NUL-terminated.
    fileprivate var chars: UnsafePointer<CChar> { UnsafeRawPointer(self).assumingMemoryBound(to: CChar.self) }
}
