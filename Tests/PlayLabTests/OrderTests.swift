import AdCore
import Testing
import WebStage

@testable import PlayLab

@Suite("Orders of a page")
struct OrderTests {
    private func order(_ source: AdJSON, _ options: AdJSON = [:]) throws -> LabOrder {
        try LabOrder(["source": source, "options": options]) { _ in nil }
    }

    private func error(_ source: AdJSON, _ options: AdJSON = [:]) -> LabError? {
        do {
            _ = try self.order(source, options)
            return nil
        } catch {
            return error as? LabError
        }
    }

    @Test("each kind of source is read")
    func sources() throws {
        #expect(
            try self.order(["kind": "markup", "text": "<p>"]).source == .document(Array("<p>".utf8), name: "pasted")
        )
        let pasted: AdJSON = ["kind": "markup", "text": " https://a.example/v\n"]
        #expect(try self.order(pasted).source == .address("https://a.example/v"), "a pasted address is that of a tag")
        #expect(
            try self.order(["kind": "url", "text": " https://a.example/v "]).source == .address("https://a.example/v")
        )
        #expect(
            try self.order(["kind": "file", "name": "a.zip", "data": "UEsDBA=="]).source
                == .document([0x50, 0x4B, 3, 4], name: "a.zip")
        )
        #expect(try self.order(["kind": "file", "name": "tag.xml"]).source == .address("tag.xml"))
        #expect(try self.order(["kind": "bundled", "name": "leaf"]).source == .bundled("leaf"))
        let fields: AdJSON = ["unit": "u1", "conversation_history": ["a", "b"], "empty": ""]
        let placement = try self.order(["kind": "placement", "provider": "yabbi", "fields": fields])
        let expected = [
            LabField("unit", "u1"), LabField("conversation_history", "a"), LabField("conversation_history", "b"),
        ]
        #expect(placement.source == .placement(provider: "yabbi", fields: expected))
    }

    @Test("an earlier ad is ordered again, with its options or others")
    func again() throws {
        let first = try self.order(["kind": "markup", "text": "<p>"], ["device": "ipad"])
        let body: AdJSON = ["source": ["kind": "ad", "id": "a1"]]
        #expect(try LabOrder(body) { $0 == "a1" ? first : nil } == first)
        let other: AdJSON = ["source": ["kind": "ad", "id": "a1"], "options": ["device": "tv"]]
        #expect(try LabOrder(other) { _ in first }.options.map(\.value) == ["tv"])
        #expect(throws: LabError.self) { try LabOrder(body) { _ in nil } }
    }

    @Test("options are words of the command line: flags, values and repeated values")
    func options() throws {
        let options: AdJSON = [
            "no-beacons": true, "coppa": false, "speed": 4, "macro": ["A=b", "C=d"], "size": nil, "device": "iphone",
        ]
        let order = try self.order(["kind": "bundled", "name": "leaf"], options)
        #expect(
            order.options.map { "\($0.name)=\($0.value)" } == [
                "no-beacons=", "speed=4", "macro=A=b", "macro=C=d", "device=iphone",
            ]
        )
    }

    @Test("what is missing or wrong is named with its field")
    func errors() {
        #expect(self.error(["kind": "markup", "text": "  "])?.field == "text")
        #expect(self.error(["kind": "url", "text": ""])?.field == "url")
        // The page's address field reads no files of this computer, and not the command's own input.
        for text in ["/etc/passwd", "-", "ftp://shop.example/", "javascript:alert(1)", "not a url", "http://"] {
            let error = self.error(["kind": "url", "text": .string(text)])
            #expect(error?.field == "url" && error?.message.hasPrefix("\(text) can't be fetched; ") == true)
        }
        let missing = self.error(["kind": "url", "text": "www.shop.example/v.xml"])
        #expect(missing?.message == "the address has no scheme; write https://www.shop.example/v.xml")
        #expect(self.error(["kind": "file", "name": "-"])?.field == "file")
        #expect(self.error(["kind": "file", "name": "a", "data": "§"])?.field == "file")
        #expect(self.error(["kind": "sorcery"])?.field == "source")
        #expect(self.error(["kind": "bundled", "name": "x"], ["two words": "x"])?.field == "two words")
        #expect(
            self.error(["kind": "bundled", "name": "x"], ["macro": .array(Array(repeating: "a=b", count: 101))]) != nil
        )
    }

    @Test("inputs are read, and numbers that are no positions refused")
    func inputs() throws {
        #expect(try LabInput(["type": "press", "x": 1, "y": 2]) == .point(.press, x: 1, y: 2))
        #expect(try LabInput(["type": "tap", "x": .double(1.5), "y": 2]) == .tap(x: 1.5, y: 2))
        #expect(
            try LabInput(["type": "scroll", "x": 1, "y": 2, "dx": 0, "dy": -40]) == .scroll(x: 1, y: 2, dx: 0, dy: -40)
        )
        let key = EngineKey(isDown: false, key: "Enter", code: "Enter", text: "", modifiers: 8)
        let up: AdJSON = ["type": "key", "phase": "up", "key": "Enter", "code": "Enter", "modifiers": 8]
        #expect(try LabInput(up) == .key(key))
        let wrong: [AdJSON] = [
            ["type": "tap"], ["type": "fly", "x": 1, "y": 1], ["type": "tap", "x": 1_000_000, "y": 0], [:],
        ]
        for json in wrong {
            #expect(throws: LabError.self) { try LabInput(json) }
        }
    }

    @Test("actions are words of a script, or about the network, the size and the end")
    func actions() throws {
        #expect(try LabAction.read(["action": "close"]) == .step("close"))
        #expect(try LabAction.read(["action": "offline"]) == .online(false))
        #expect(try LabAction.read(["action": "online"]) == .online(true))
        #expect(try LabAction.read(["action": "resize 320x480"]) == .resize(Size(width: 320, height: 480)))
        #expect(try LabAction.read(["action": "end"]) == nil)
        for text in ["", "resize 1x1", "resize 99999x1", "resize "] {
            #expect(throws: LabError.self) { try LabAction.read(["action": .string(text)]) }
        }
    }
}
