import EngineSupport
import WebStage

/// A message of the helper: fields of bytes, the first of which is its name.
struct WireMessage: Hashable, Sendable {
    let fields: [[UInt8]]

    init(_ fields: [[UInt8]]) { self.fields = fields }

    var name: String { self.text(0) }

    /// A field as text; empty if the message is shorter.
    func text(_ index: Int) -> String {
        index < self.fields.count ? String(decoding: self.fields[index], as: UTF8.self) : ""
    }

    /// A field as a number; 0 if it is none.
    func integer(_ index: Int) -> Int { Int(self.text(index)) ?? 0 }

    /// A field as bytes; empty if the message is shorter.
    func bytes(_ index: Int) -> [UInt8] { index < self.fields.count ? self.fields[index] : [] }

    /// Reads the fields of an encoded message; nil if their sizes contradict the message's.
    init?(encoded bytes: ArraySlice<UInt8>) {
        var fields: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            guard let size = WireSize.read(rest), rest.count - WireSize.bytes >= size else { return nil }
            fields.append(Array(rest.dropFirst(WireSize.bytes).prefix(size)))
            rest = rest.dropFirst(WireSize.bytes + size)
        }
        guard !fields.isEmpty else { return nil }
        self.fields = fields
    }

    /// The encoded message, with its size before it.
    var encoded: [UInt8] {
        let size = self.fields.reduce(0) { $0 + WireSize.bytes + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(WireSize.bytes + size)
        WireSize.append(size, to: &bytes)
        for field in self.fields {
            WireSize.append(field.count, to: &bytes)
            bytes += field
        }
        return bytes
    }
}

/// The size of a message or field: four bytes, little-endian.
enum WireSize {
    static let bytes = 4

    static func append(_ size: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
    }

    /// Reads a size; nil if there are less than four bytes.
    static func read(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= self.bytes else { return nil }
        return bytes.prefix(self.bytes).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A command to the helper about a page.
struct WireCommand: EnginePipeCommand, Hashable {
    let name: String
    let page: Int
    var fields: [[UInt8]]

    init(_ name: String, _ page: Int, _ fields: [String] = []) {
        self.name = name
        self.page = page
        self.fields = fields.map { Array($0.utf8) }
    }

    /// A command for the scripts of the page, which the helper passes on to its extension.
    static func script(_ name: String, _ page: Int, _ fields: [String] = []) -> WireCommand {
        WireCommand("script", page, [name] + fields)
    }

    func bytes(number: Int) -> [UInt8] {
        WireMessage([Array(self.name.utf8), Array("\(number)".utf8), Array("\(self.page)".utf8)] + self.fields).encoded
    }
}
