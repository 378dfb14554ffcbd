import AdCore
import LibC

/// The attributes of one start tag as libxml2 passes them; valid only during the callback.
package struct XMLAttributes {
    /// Five pointers for each attribute: local name, prefix, namespace, start and end of the value.
    let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    package let count: Int

    /// Calls `body` with each attribute's local name and value, the value without white space around it.
    ///
    /// Both are valid only during the call. An attribute with a prefix belongs to a schema or another namespace.
    package func each(includesPrefixed: Bool = true, _ body: (UnsafeBufferPointer<UInt8>, ByteView) -> Void) {
        guard let base else { return }
        for index in 0..<self.count {
            guard let text = base[5 * index], let start = base[5 * index + 3], let end = base[5 * index + 4],
                includesPrefixed || base[5 * index + 1] == nil
            else { continue }
            let value = UnsafeBufferPointer(start: start, count: end - start)
            let name = UnsafeBufferPointer(terminated: text)
            if memchr(start, Int32(UInt8(ascii: "&")), value.count) == nil {
                body(name, value[...].withoutWhiteSpace)
            } else {
                XMLAttributes.decoded(value).withUnsafeBufferPointer { body(name, $0[...].withoutWhiteSpace) }
            }
        }
    }

    /// Decodes `&#38;`: libxml2 leaves each `&` of a value as this reference, for a tree that decodes it again.
    private static func decoded(_ value: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var at = 0
        while at < value.count {
            result.append(value[at])
            at += value[at...].startsIgnoringCase("&#38;") ? 5 : 1
        }
        return result
    }

    /// Calls `body` with the attributes that VAST and VMAP define.
    func known(_ body: (VASTAttributeName, ByteView) -> Void) {
        self.each { name, value in
            if let (name, _) = VASTAttributeName.table.find(name) { body(name, value) }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes before a NUL.
    init(terminated text: UnsafePointer<UInt8>) {
        self.init(start: text, count: strlen(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)))
    }
}
