import AdCore
import TestSupport
import Testing

@testable import WebStage

@Suite("The session of scripts that measure")
struct OMIDSessionTests {
    private let window = OMIDWindow(target: EngineTarget(name: "V"), frame: "F")
    private let other = OMIDWindow(target: EngineTarget(name: "W"), frame: "G")

    private func geometry(x: Double = 0) -> OMIDGeometry {
        var geometry = OMIDGeometry(viewport: Size(width: 390, height: 844))
        let seen: AdJSON = [.double(x), 0, 320, 100]
        _ = geometry.update(["viewport": [390, 844], "ad": seen, "seen": seen, "covers": []])
        geometry.isHidden = false
        return geometry
    }

    private func session(_ geometry: OMIDGeometry? = nil) -> OMIDSession {
        let vendors = [
            VideoVerification(vendor: "a.example", scripts: [], parameters: "secret=a"),
            VideoVerification(vendor: "b.example", scripts: [], parameters: "secret=b"),
        ]
        return OMIDSession(
            "s",
            OMIDSubject(kind: .video, isMobile: true),
            vendors,
            geometry ?? self.geometry(),
            at: .zero
        )
    }

    private func message(_ json: AdJSON) throws -> OMIDMessage { try #require(OMIDMessage(json)) }

    private func listen(_ type: String, _ number: Int) throws -> OMIDMessage {
        try self.message(["k": "listen", "type": .string(type), "n": .int(number)])
    }

    /// What was delivered: the window, the callbacks and the event.
    private func delivered(_ outputs: [StageOutput]) -> [(target: String, to: AdJSON, event: AdJSON, age: AdJSON)] {
        outputs.compactMap { output in
            guard case .send(.call(_, let argument, _, let target)) = output,
                let message = try? AdJSON(parsing: argument), let text = message["event"]?.string,
                let event = try? AdJSON(parsing: text)
            else { return nil }
            return (target.name, message["to"] ?? .null, event, message["age"] ?? .null)
        }
    }

    private func types(_ outputs: [StageOutput]) -> [String] {
        self.delivered(outputs).map { $0.event["type"]?.string ?? "" }
    }

    @Test("an observer gets sessionStart at once, with its own parameters and no others, whatever key it names")
    func start() throws {
        var session = self.session()
        let observe = try self.message(["k": "session", "vendor": "b.example", "n": 1])
        let events = self.delivered(session.handle(observe, from: self.window, verification: 0, at: .seconds(2)))
        let event = try #require(events.first?.event)
        #expect(events.count == 1 && event["type"] == "sessionStart" && event["adSessionId"] == "s")
        #expect(event["data"]?["verificationParameters"] == "secret=a")
        #expect(event["data"]?["context"]?["accessMode"] == "limited")
        #expect(event["data"]?["context"]?["omidNativeInfo"]?["partnerName"] == "Yabbi")
        #expect(events[0].age == 2_000, "the session has started two seconds ago")
        #expect(!event.text().contains("secret=b"))
    }

    @Test("an event goes to the listeners of its type and of all media events, and to each script once")
    func listeners() throws {
        var session = self.session()
        _ = session.handle(try self.listen("start", 1), from: self.window, verification: 0, at: .zero)
        _ = session.handle(try self.listen("media", 2), from: self.window, verification: 0, at: .zero)
        _ = session.handle(try self.listen("pause", 3), from: self.window, verification: 0, at: .zero)
        _ = session.handle(try self.listen("video", 1), from: self.other, verification: 1, at: .zero)
        let events = self.delivered(session.send(OMIDEvent("start"), at: .seconds(1)))
        #expect(events.map(\.target) == ["V", "W"] && events.map(\.to) == [[1, 2], [1]])
        #expect(self.delivered(session.sendImpression(at: .seconds(1))).isEmpty, "an impression is no media event")
    }

    @Test("what happens once is sent once, and a pause as often as it happens")
    func once() throws {
        var session = self.session()
        _ = session.handle(try self.listen("media", 1), from: self.window, verification: 0, at: .zero)
        _ = session.handle(try self.listen("impression", 2), from: self.window, verification: 0, at: .zero)
        var all: [String] = []
        for _ in 0..<2 {
            all += self.types(session.sendImpression(at: .zero))
            for event in ["start", "firstQuartile", "pause", "complete"] {
                all += self.types(session.send(OMIDEvent(event), at: .zero))
            }
        }
        #expect(all == ["impression", "start", "firstQuartile", "pause", "complete", "pause"])
    }

    @Test("a script that loads late gets what it has missed, with the time of each event, even after the end")
    func late() throws {
        var session = self.session()
        _ = session.sendImpression(at: .seconds(1))
        _ = session.send(OMIDEvent("start"), at: .seconds(1))
        _ = session.send(OMIDEvent("firstQuartile"), at: .seconds(3))
        _ = session.finish(at: .seconds(4))
        let media = self.delivered(
            session.handle(try self.listen("media", 1), from: self.window, verification: 0, at: .seconds(5))
        )
        #expect(media.map { $0.event["type"] } == ["start", "firstQuartile"] && media.map(\.age) == [4_000, 2_000])
        let impression = session.handle(
            try self.listen("impression", 2),
            from: self.window,
            verification: 0,
            at: .seconds(5)
        )
        #expect(self.types(impression) == ["impression"])
        let observe = try self.message(["k": "session", "n": 3])
        let states = self.types(session.handle(observe, from: self.window, verification: 0, at: .seconds(5)))
        #expect(states == ["sessionStart", "sessionFinish"])
    }

    @Test("nothing but what was missed is sent after sessionFinish, which is sent once")
    func finish() throws {
        var session = self.session()
        _ = session.handle(try self.message(["k": "session", "n": 1]), from: self.window, verification: 0, at: .zero)
        _ = session.handle(try self.listen("media", 2), from: self.window, verification: 0, at: .zero)
        #expect(self.types(session.finish(at: .seconds(1))) == ["sessionFinish"])
        #expect(session.finish(at: .seconds(1)).isEmpty && session.send(OMIDEvent("pause"), at: .seconds(1)).isEmpty)
    }

    @Test("an impression waits until the ad's place is known, and keeps its time")
    func place() throws {
        var session = self.session(OMIDGeometry(viewport: Size(width: 390, height: 844)))
        _ = session.handle(try self.listen("impression", 1), from: self.window, verification: 0, at: .zero)
        #expect(session.sendImpression(at: .seconds(1)).isEmpty)
        let events = self.delivered(session.update(self.geometry(), at: .seconds(2)))
        #expect(events.map { $0.event["type"] } == ["impression"] && events[0].age == 1_000)
        #expect(events[0].event["data"]?["adView"]?["percentageInView"] == 100)
    }

    @Test("geometry changes are sent at most ten times a second, and the last one always is")
    func rate() throws {
        var session = self.session()
        _ = session.handle(try self.listen("geometryChange", 1), from: self.window, verification: 0, at: .zero)
        var sent: [Double] = []
        var alarm: Duration?
        let collect = { (outputs: [StageOutput], now: Duration) in
            for event in self.delivered(outputs) {
                sent.append(event.event["data"]?["adView"]?["geometry"]?["x"]?.number ?? -1)
            }
            for case .setAlarm(.geometry, let delay) in outputs { alarm = now + delay }
        }
        for step in 0..<500 {
            let now = Duration.milliseconds(step * 4)
            if let due = alarm, due <= now {
                alarm = nil
                collect(session.geometryIsDue(at: now), now)
            }
            if step < 450 { collect(session.update(self.geometry(x: Double(step)), at: now), now) }
        }
        #expect((15...21).contains(sent.count) && sent.last == 449, "\(sent)")
        #expect(session.update(self.geometry(x: 449), at: .seconds(9)).isEmpty, "the same place is no change")
    }

    @Test("the calls of a script are bounded, and the first one too many is reported")
    func flood() throws {
        var session = self.session()
        var reports = 0
        for number in 1...3_000 {
            let outputs = session.handle(try self.listen("x", number), from: self.window, verification: 0, at: .zero)
            reports += outputs.count { if case .report(.blocked) = $0 { true } else { false } }
        }
        #expect(reports == 1)
        for number in 0..<200 {
            let window = OMIDWindow(target: EngineTarget(name: "\(number)"), frame: "F")
            _ = session.handle(try self.listen("start", 1), from: window, verification: nil, at: .zero)
        }
        #expect(self.delivered(session.send(OMIDEvent("start"), at: .zero)).count < OMIDSession.maxWindows)
    }

    @Test("a window that is removed gets nothing more")
    func removed() throws {
        var session = self.session()
        _ = session.handle(try self.listen("start", 1), from: self.window, verification: 0, at: .zero)
        session.remove(self.window.target)
        #expect(session.send(OMIDEvent("start"), at: .zero).isEmpty && !session.isMeasuring)
    }

    @Test("each message is listed with its direction, the vendor and the data")
    func listed() throws {
        var session = self.session()
        let outputs = session.handle(try self.listen("start", 1), from: self.window, verification: 0, at: .zero)
        #expect(
            outputs == [
                .observe(
                    .bridge(
                        BridgeMessage(
                            .omid,
                            .fromCreative,
                            "addEventListener",
                            ["vendor": "a.example", "type": "start"]
                        )
                    )
                )
            ]
        )
    }

    @Test(
        "a forged or senseless message is ignored",
        arguments: ["{}", #"{"k":"listen"}"#, #"{"k":"session","n":-1}"#]
    )
    func forged(text: String) throws { #expect(OMIDMessage(try AdJSON(parsing: text)) == nil) }
}
