import AdCore
import AdRuntime
import Testing

@testable import YabbiPlay

@Suite("What the app around an ad does")
struct HostChangesTests {
    @Test("a change is listed once; a signal that changes nothing is not")
    func changes() {
        var changes = HostChanges()
        let signals: [HostSignal] = [
            .covered(false), .background(false), .covered(true), .covered(true), .network(.wifi), .network(.offline),
            .network(.offline), .network(.cellular), .background(true), .covered(false), .background(false),
        ]
        #expect(
            signals.compactMap { changes.handle($0)?.word } == [
                "covered", "offline", "online", "background", "uncovered", "foreground",
            ]
        )
    }
}
