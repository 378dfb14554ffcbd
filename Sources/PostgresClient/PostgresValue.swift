/// A parameter of a statement, sent in the protocol's binary format.
package enum PostgresValue: Hashable, Sendable {
    case null
    case int(Int64)
    case text(String)
    case bytes([UInt8])
    case ints([Int64?])
    case texts([String?])
    case blobs([[UInt8]?])

    /// An optional number.
    package init(_ number: Int64?) { self = number.map(PostgresValue.int) ?? .null }

    /// The identifier of the type in `pg_type`.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .int: 20
        case .text: 25
        case .bytes: 17
        case .ints: 1016
        case .texts: 1009
        case .blobs: 1001
        }
    }

    /// The bytes to send; nil for NULL.
    var encoded: [UInt8]? {
        switch self {
        case .null: return nil
        case .int(let number): return PostgresValue.bigEndian(number)
        case .text(let text): return PostgresValue.utf8(text)
        case .bytes(let bytes): return bytes
        case .ints(let numbers): return PostgresValue.array(numbers, of: 20) { PostgresValue.bigEndian($0) }
        case .texts(let texts): return PostgresValue.array(texts, of: 25) { PostgresValue.utf8($0) }
        case .blobs(let blobs): return PostgresValue.array(blobs, of: 17) { $0 }
        }
    }

    /// A text without NUL, which PostgreSQL can't store.
    private static func utf8(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bytes.contains(0) ? Array(text.split(separator: "\0", omittingEmptySubsequences: false)
            .joined(separator: "\u{FFFD}").utf8) : bytes
    }

    /// The binary form of a one-dimensional array (`array_send` in PostgreSQL's `arrayfuncs.c`).
    private static func array<Element>(
        _ elements: [Element?],
        of type: Int32,
        _ encode: (Element) -> [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + 24 * elements.count)
        func append(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
        append(elements.isEmpty ? 0 : 1)
        append(elements.contains { $0 == nil } ? 1 : 0)
        append(type)
        guard !elements.isEmpty else { return bytes }
        append(Int32(elements.count))
        append(1)
        for element in elements {
            guard let element else {
                append(-1)
                continue
            }
            let part = encode(element)
            append(Int32(part.count))
            bytes += part
        }
        return bytes
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

/// A statement with its parameters.
package struct PostgresStatement: Sendable {
    /// The name under which a connection prepares it once; nil for a statement that is used rarely.
    let name: String?
    let text: String
    let values: [PostgresValue]

    /// Creates a statement that each connection prepares at its first use.
    package init(_ name: String, _ text: String, _ values: [PostgresValue] = []) {
        self.name = name
        self.text = text
        self.values = values
    }

    /// Creates a statement that is not prepared.
    package init(once text: String, _ values: [PostgresValue] = []) {
        self.name = nil
        self.text = text
        self.values = values
    }
}
