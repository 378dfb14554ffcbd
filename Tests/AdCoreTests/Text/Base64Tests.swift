import Testing

@testable import AdCore

@Suite("Bytes as text")
struct Base64Tests {
    @Test(
        "the standard's own examples go there and back",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func examples(plain: String, text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
    }

    @Test("all bytes in all places go there and back")
    func all() {
        for start in 0..<3 {
            let bytes = Array(repeating: UInt8(7), count: start) + (0...255).map { UInt8($0) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test("what is no such text is none", arguments: ["Zg", "Zg=", "Z===", "Zm9v!!!!", "Zg==Zg==", "Zm 9"])
    func none(text: String) { #expect(Base64.bytes(text) == nil) }
}
