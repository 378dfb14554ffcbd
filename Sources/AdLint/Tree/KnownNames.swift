import AdCore

/// Finds what is known of the names in a document.
///
/// A document repeats few names: to find one again needs neither its text nor a lookup in the schema.
struct KnownNames<Name> {
    /// The latest name with each hash value.
    private var slots = [(bytes: [UInt8], name: Name)?](repeating: nil, count: 128)
    private let describe: (String) -> Name

    init(_ describe: @escaping (String) -> Name) { self.describe = describe }

    mutating func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
        var hash = UInt32(truncatingIfNeeded: bytes.count)
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let slot = Int((hash ^ hash >> 15) & 127)
        if let known = self.slots[slot], known.bytes.elementsEqual(bytes) { return known.name }
        let name = self.describe(String(decoding: bytes, as: UTF8.self))
        self.slots[slot] = (Array(bytes), name)
        return name
    }
}
