/// The text of a JSON object, whose members can be added and removed without changing any other byte.
///
/// JSON that is only passed on must not change: numbers of twenty digits, the order of members, white space.
package struct JSONText: Hashable, Sendable {
    /// The text in UTF-8.
    package private(set) var bytes: [UInt8]
    private var members: [Member]

    private struct Member: Hashable, Sendable {
        let name: String
        /// From the first byte of its name to the last byte of its value.
        let range: Range<Int>
    }

    /// Creates the text of an object; nil if it is not an object, or needs repairs and so is ambiguous.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let result = try? AdJSON.reading(bytes), case .object = result.json, result.repairs.isEmpty else {
            return nil
        }
        self.bytes = bytes
        self.members = JSONText.members(in: bytes)
    }

    /// Creates the text of an object, repaired if necessary, with the same numbers and order of members.
    ///
    /// It is nil if the text is not an object or repeats a name, which no repair can decide.
    package init?(repairing text: String) {
        if let whole = JSONText(text) {
            self = whole
            return
        }
        guard let json = try? AdJSON.reading(Array(text.utf8)).json else { return nil }
        self.init(json.text())
    }

    /// The JSON text of the object, with all changes.
    package var text: String { String(decoding: self.bytes, as: UTF8.self) }

    /// Whether there is a member of this name.
    package func has(_ name: String) -> Bool { self.members.contains { $0.name == name } }

    /// Removes a member with its comma.
    package mutating func remove(_ name: String) {
        guard let index = self.members.firstIndex(where: { $0.name == name }) else { return }
        let cut: Range<Int>
        if index + 1 < self.members.count {
            cut = self.members[index].range.lowerBound..<self.members[index + 1].range.lowerBound
        } else if index > 0 {
            cut = self.members[index - 1].range.upperBound..<self.members[index].range.upperBound
        } else {
            cut = self.members[index].range
        }
        self.bytes.removeSubrange(cut)
        self.members = JSONText.members(in: self.bytes)
    }

    /// Adds a member before all others.
    package mutating func prepend(_ name: String, _ value: AdJSON) {
        guard let brace = self.bytes.firstIndex(of: UInt8(ascii: "{")) else { return }
        let member = JSONText.text(name, value) + (self.members.isEmpty ? [] : [UInt8(ascii: ",")])
        self.bytes.insert(contentsOf: member, at: brace + 1)
        self.members = JSONText.members(in: self.bytes)
    }

    /// Adds a member after all others.
    package mutating func append(_ name: String, _ value: AdJSON) {
        let place: Int
        if let last = self.members.last {
            place = last.range.upperBound
        } else if let brace = self.bytes.firstIndex(of: UInt8(ascii: "{")) {
            place = brace + 1
        } else {
            return
        }
        let member = (self.members.isEmpty ? [] : [UInt8(ascii: ",")]) + JSONText.text(name, value)
        self.bytes.insert(contentsOf: member, at: place)
        self.members = JSONText.members(in: self.bytes)
    }

    /// A member as JSON text without braces.
    private static func text(_ name: String, _ value: AdJSON) -> [UInt8] {
        Array(AdJSON.object([.init(name, value)]).bytes().dropFirst().dropLast())
    }

    /// The members of a valid object.
    private static func members(in bytes: [UInt8]) -> [Member] {
        var scanner = Scanner(bytes: bytes)
        var members: [Member] = []
        guard scanner.skip(to: "{") else { return [] }
        while scanner.skip(to: "\"", before: "}") {
            let start = scanner.place
            scanner.skipString()
            let name = (try? AdJSON(parsing: Array(bytes[start..<scanner.place])))?.string ?? ""
            guard scanner.skip(to: ":") else { return members }
            scanner.place += 1
            let end = scanner.skipValue()
            members.append(Member(name: name, range: start..<end))
        }
        return members
    }

    /// Scans a valid object.
    private struct Scanner {
        let bytes: [UInt8]
        var place = 0

        /// Skips to the next `wanted` byte; returns false if `other` or the end comes first.
        mutating func skip(to wanted: Unicode.Scalar, before other: Unicode.Scalar? = nil) -> Bool {
            while self.place < self.bytes.count {
                let byte = self.bytes[self.place]
                if byte == UInt8(ascii: wanted) { return true }
                if let other, byte == UInt8(ascii: other) { return false }
                self.place += 1
            }
            return false
        }

        /// Skips a string with its quotation marks.
        mutating func skipString() {
            self.place += 1
            while self.place < self.bytes.count, self.bytes[self.place] != UInt8(ascii: "\"") {
                self.place += self.bytes[self.place] == UInt8(ascii: "\\") ? 2 : 1
            }
            self.place += 1
        }

        /// Skips a value and returns its end, without white space after it.
        mutating func skipValue() -> Int {
            var depth = 0
            var end = self.place
            while self.place < self.bytes.count {
                switch self.bytes[self.place] {
                case UInt8(ascii: "\""):
                    self.skipString()
                    end = self.place
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: ",") where depth == 0: return end
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    if depth == 0 { return end }
                    depth -= 1
                case 0x20, 0x09, 0x0A, 0x0D:
                    self.place += 1
                    continue
                default: break
                }
                self.place += 1
                end = self.place
            }
            return end
        }
    }
}
