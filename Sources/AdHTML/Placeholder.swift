import AdCore
import AdMarkup

/// A macro in the markup that the ad server has not replaced.
public struct Placeholder: Hashable, Sendable, CustomStringConvertible {
    /// The form in which a macro is written.
    public enum Style: String, Hashable, Sendable {
        /// `${AUCTION_PRICE}`
        case dollar
        /// `[CACHEBUSTER]`
        case brackets
        /// `%%CLICK_URL%%`
        case percent
    }

    /// The macro's name, without the characters around it.
    public let name: String
    /// The form in which it is written.
    public let style: Style
    /// The line, counted from 1.
    public let line: Int

    /// The macro as it is in the markup.
    public var text: String {
        switch self.style {
        case .dollar: "${\(self.name)}"
        case .brackets: "[\(self.name)]"
        case .percent: "%%\(self.name)%%"
        }
    }

    /// The macro as it is in the markup.
    public var description: String { self.text }
}

/// Searches the markup for macros, one part after the other.
///
/// In scripts `${x}` and `[X]` are usually code. There `${…}` must have the name of an auction macro (OpenRTB 2.6
/// §4.4), and `[…]` must be within a string or a URL.
struct PlaceholderSearch {
    private(set) var found: [Placeholder] = []
    /// The number of macros beyond the limit.
    private(set) var others = 0
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limit: Int
    private var lines = LineCounter()

    private static let maxNameLength = 64

    init(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    mutating func search(_ range: Range<Int>, isCode: Bool) {
        var index = range.lowerBound
        while let start = self.start(from: index, in: range) {
            let found: Range<Int>?
            let style: Placeholder.Style
            switch self.bytes[start] {
            case UInt8(ascii: "$"):
                style = .dollar
                found = self.dollar(at: start, in: range, isCode: isCode)
            case UInt8(ascii: "["):
                style = .brackets
                found = self.brackets(at: start, in: range, isCode: isCode)
            default:
                style = .percent
                found = self.percent(at: start, in: range)
            }
            index = start + 1
            guard let found else { continue }
            self.add(found, style: style, at: start)
            index = found.upperBound + (style == .percent ? 2 : 1)
        }
    }

    /// The offset of the next byte that may begin a macro.
    private func start(from index: Int, in range: Range<Int>) -> Int? {
        let bytes = self.bytes
        for index in index..<max(index, range.upperBound) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "$") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "[") { return index }
        }
        return nil
    }

    private mutating func add(_ name: Range<Int>, style: Placeholder.Style, at offset: Int) {
        guard self.found.count < self.limit else {
            self.others += 1
            return
        }
        let text = String(decoding: self.bytes[name], as: UTF8.self)
        self.found.append(
            Placeholder(name: text, style: style, line: self.lines.line(at: offset, in: self.bytes))
        )
    }

    private func dollar(at index: Int, in range: Range<Int>, isCode: Bool) -> Range<Int>? {
        guard self.byte(index + 1, in: range) == UInt8(ascii: "{") else { return nil }
        let name = self.name(from: index + 2, in: range) {
            $0.isUpperCase || $0.isDigit || $0 == UInt8(ascii: "_")
        }
        guard let name, self.bytes[name.lowerBound].isUpperCase,
            !isCode || self.bytes[name].starts(with: "AUCTION_".utf8)
        else { return nil }
        // `${AUCTION_PRICE:B64}` has the name of an encoding after the macro's name (OpenRTB 2.6 §4.4).
        var end = name.upperBound
        if self.byte(end, in: range) == UInt8(ascii: ":") {
            guard let suffix = self.name(from: end + 1, in: range, where: { $0.isASCIILetter || $0.isDigit }) else {
                return nil
            }
            end = suffix.upperBound
        }
        return self.byte(end, in: range) == UInt8(ascii: "}") ? name.lowerBound..<end : nil
    }

    private func brackets(at index: Int, in range: Range<Int>, isCode: Bool) -> Range<Int>? {
        let name = self.name(from: index + 1, in: range) { $0.isUpperCase || $0.isDigit || $0 == UInt8(ascii: "_") }
        guard let name, name.count >= 3, self.bytes[name.lowerBound].isUpperCase,
            self.byte(name.upperBound, in: range) == UInt8(ascii: "]")
        else { return nil }
        if isCode {
            let before = index > range.lowerBound ? self.bytes[index - 1] : 0
            let after = self.byte(name.upperBound + 1, in: range)
            guard "\"'`=/&?".utf8.contains(before), "\"'`&/?#%".utf8.contains(after) else { return nil }
        }
        return name
    }

    private func percent(at index: Int, in range: Range<Int>) -> Range<Int>? {
        guard self.byte(index + 1, in: range) == UInt8(ascii: "%") else { return nil }
        let name = self.name(from: index + 2, in: range) {
            $0.isASCIILetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ":")
        }
        guard let name, self.bytes[name.lowerBound].isASCIILetter,
            self.byte(name.upperBound, in: range) == UInt8(ascii: "%"),
            self.byte(name.upperBound + 1, in: range) == UInt8(ascii: "%")
        else { return nil }
        return name
    }

    private func byte(_ index: Int, in range: Range<Int>) -> UInt8 {
        index < range.upperBound ? self.bytes[index] : 0
    }

    private func name(from start: Int, in range: Range<Int>, where mayHold: (UInt8) -> Bool) -> Range<Int>? {
        let last = min(range.upperBound, start + PlaceholderSearch.maxNameLength)
        var end = start
        while end < last, mayHold(self.bytes[end]) { end += 1 }
        return end > start ? start..<end : nil
    }
}

extension UInt8 {
    fileprivate var isUpperCase: Bool { (0x41...0x5A).contains(self) }
}
