import Testing

@testable import AdCore

@Suite("Base64")
struct Base64Tests {
    @Test(
        "the examples of RFC 4648 §10 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func examples(plain: String, text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
    }

    @Test("all bytes at all offsets are encoded and decoded")
    func all() {
        for start in 0..<3 {
            let bytes = Array(repeating: UInt8(7), count: start) + (0...255).map { UInt8($0) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test("an invalid text is refused", arguments: ["Zg", "Zg=", "Z===", "Zm9v!!!!", "Zg==Zg==", "Zm 9"])
    func none(text: String) { #expect(Base64.bytes(text) == nil) }
}
