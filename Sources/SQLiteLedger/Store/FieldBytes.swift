package import AdCore

/// The stored form of headers: texts with a variable-length size (LEB128) before each.
package enum FieldBytes {
    /// Encodes header fields in order.
    package static func encode(_ headers: AdHTTPHeaders) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in headers.fields {
            self.append(field.name, to: &bytes)
            self.append(field.value, to: &bytes)
        }
        return bytes
    }

    /// Encodes references to secrets; their values never reach the ledger.
    package static func encode(_ secrets: [SecretHeader]) -> [UInt8] {
        var bytes: [UInt8] = []
        for secret in secrets {
            self.append(secret.name, to: &bytes)
            self.append(secret.credential.rawValue, to: &bytes)
            self.append(secret.prefix, to: &bytes)
        }
        return bytes
    }

    static func headers(_ bytes: some Collection<UInt8>) -> AdHTTPHeaders? {
        guard let texts = self.texts(bytes), texts.count.isMultiple(of: 2) else { return nil }
        var headers = AdHTTPHeaders()
        for index in stride(from: 0, to: texts.count, by: 2) {
            guard headers.add(texts[index], texts[index + 1]) else { return nil }
        }
        return headers
    }

    static func secrets(_ bytes: some Collection<UInt8>) -> [SecretHeader]? {
        guard let texts = self.texts(bytes), texts.count.isMultiple(of: 3) else { return nil }
        var secrets: [SecretHeader] = []
        for index in stride(from: 0, to: texts.count, by: 3) {
            let credential = CredentialName(texts[index + 1])
            guard let secret = SecretHeader(texts[index], credential, prefix: texts[index + 2]) else { return nil }
            secrets.append(secret)
        }
        return secrets
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        var length = text.utf8.count
        while length >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes += text.utf8
    }

    private static func texts<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> [String]? {
        var texts: [String] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            var length = Int(first & 0x7F)
            var shift = 7
            var last = first
            while last & 0x80 != 0 {
                // Five bytes encode 35 bits, more than the size of any beacon.
                guard shift <= 28, let next = rest.popFirst() else { return nil }
                length |= Int(next & 0x7F) << shift
                shift += 7
                last = next
            }
            let part = rest.prefix(length)
            guard part.count == length, let text = String(exactly: part) else { return nil }
            texts.append(text)
            rest = rest[part.endIndex...]
        }
        return texts
    }
}

/// A cache of the last encoded headers: the beacons of an ad have the same ones.
package struct EncodedHeaders {
    private var headers = AdHTTPHeaders()
    /// The encoded form of the last headers.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty cache.
    package init() {}

    /// Sets `bytes` to the encoded headers.
    package mutating func encode(_ headers: AdHTTPHeaders) {
        guard headers != self.headers else { return }
        self.headers = headers
        self.bytes = FieldBytes.encode(headers)
    }
}
