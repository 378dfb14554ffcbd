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

    var isNull: Bool { self == .null }

    /// Appends the bytes to send.
    func encode(to bytes: inout [UInt8]) {
        switch self {
        case .null: break
        case .int(let number): bytes.append(number)
        case .text(let text): bytes.append(text)
        case .bytes(let value): bytes += value
        case .ints(let numbers): PostgresValue.append(numbers, of: 20, to: &bytes) { $1.append($0) }
        case .texts(let texts): PostgresValue.append(texts, of: 25, to: &bytes) { $1.append($0) }
        case .blobs(let blobs): PostgresValue.append(blobs, of: 17, to: &bytes) { $1 += $0 }
        }
    }

    /// Appends the binary form of a one-dimensional array (`array_send` in PostgreSQL's `arrayfuncs.c`).
    private static func append<Element>(
        _ elements: [Element?],
        of type: Int32,
        to bytes: inout [UInt8],
        _ encode: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(Int32(elements.isEmpty ? 0 : 1))
        bytes.append(Int32(elements.contains { $0 == nil } ? 1 : 0))
        bytes.append(type)
        guard !elements.isEmpty else { return }
        bytes.append(Int32(elements.count))
        bytes.append(Int32(1))
        for element in elements {
            guard let element else {
                bytes.append(Int32(-1))
                continue
            }
            let start = bytes.count
            bytes.append(Int32(0))
            encode(element, &bytes)
            let count = Int32(bytes.count - start - 4)
            withUnsafeBytes(of: count.bigEndian) { for index in 0..<4 { bytes[start + index] = $0[index] } }
        }
    }
}

extension [UInt8] {
    /// Appends a number in network order.
    fileprivate mutating func append(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { self += $0 }
    }

    /// Appends a text without NUL, which PostgreSQL can't store.
    fileprivate mutating func append(_ text: String) {
        let start = self.count
        self += text.utf8
        guard self[start...].contains(0) else { return }
        let parts = self[start...].split(separator: 0, omittingEmptySubsequences: false)
        self.replaceSubrange(start..., with: Array(parts.joined(separator: "\u{FFFD}".utf8)))
    }
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
