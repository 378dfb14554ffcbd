import Testing

@testable import PlayConsole

@Suite("Keys")
struct KeyTests {
    @Test("letters, space and the usual ways out are keys")
    func keys() {
        #expect(Key.read("cCxX qQ".utf8) == [.click, .click, .close, .close, .pause, .quit, .quit])
        #expect(Key.read([0x03, 0x04, 0x1A]) == [.quit, .quit, .suspend])
        #expect(Key.read("az12\r\n".utf8).isEmpty)
    }

    @Test("an arrow or a function key is none of ours, whatever letters its sequence ends with")
    func sequences() {
        #expect(Key.read("\u{1B}[C\u{1B}OQ\u{1B}[15~\u{1B}[1;5C".utf8).isEmpty)
        #expect(Key.read("\u{1B}[Cx".utf8) == [.close])
        #expect(Key.read("\u{1B}qx".utf8) == [.close], "a letter with Alt is another key")
        #expect(Key.read("\u{1B}".utf8).isEmpty)
    }
}
