import Testing

@testable import PlayConsole

@Suite("Keys")
struct KeyTests {
    @Test("letters, space and the quit shortcuts are keys")
    func keys() {
        #expect(Key.parse("cCxX qQ".utf8) == [.click, .click, .close, .close, .pause, .quit, .quit])
        #expect(Key.parse([0x03, 0x04, 0x1A]) == [.quit, .quit, .suspend])
        #expect(Key.parse("az12\r\n".utf8).isEmpty)
    }

    @Test("arrow and function keys are skipped, whatever letter ends their sequence")
    func sequences() {
        #expect(Key.parse("\u{1B}[C\u{1B}OQ\u{1B}[15~\u{1B}[1;5C".utf8).isEmpty)
        #expect(Key.parse("\u{1B}[Cx".utf8) == [.close])
        #expect(Key.parse("\u{1B}qx".utf8) == [.close], "a letter with Alt is skipped")
        #expect(Key.parse("\u{1B}".utf8).isEmpty)
    }
}
