import CLibXML2

/// libxml2's tree of a document, as a baseline for parsers.
enum XMLTree {
    /// Builds and frees the tree; false when the bytes are not well-formed.
    static func build(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue)
            let chars = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let tree = xmlReadMemory(chars, Int32(clamping: buffer.count), "document", nil, options) else {
                return false
            }
            xmlFreeDoc(tree)
            return true
        }
    }
}
