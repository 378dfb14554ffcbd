import AdCore
import AdMarkup
import Testing

@Suite("Reading caption files")
struct CaptionTrackTests {
    private func track(_ text: String, type: String? = nil) throws -> CaptionTrack {
        try CaptionTrack(Array(text.utf8), type: type)
    }

    private func texts(_ track: CaptionTrack) -> [String] {
        track.cues.map { "\($0.start.wholeMilliseconds)-\($0.end.wholeMilliseconds) \($0.text)" }
    }

    private func codes(_ track: CaptionTrack) -> [String] { track.issues.map { "\($0.code) \($0.place)" } }

    @Test("WebVTT: times with and without hours, names, settings, notes and styles")
    func webVTT() throws {
        let track = try self.track(
            """
            \u{FEFF}WEBVTT - made by hand
            Kind: captions

            STYLE
            ::cue { color: yellow }

            NOTE nothing to see

            first
            00:01.000 --> 00:03.500 line:10% position:20% size:60% align:start
            <v Anna>Hello</v> &amp; welcome
            to <i>everyone</i>

            01:00:00.250 --> 01:00:01.000 line:-2 vertical:rl
            Late
            """
        )
        #expect(track.format == .webVTT && track.issues.isEmpty)
        #expect(
            self.texts(track) == [
                "1000-3500 <v Anna>Hello</v> &amp; welcome\nto <i>everyone</i>", "3600250-3601000 Late",
            ]
        )
        let settings = track.cues.map(\.settings)
        #expect(settings[0].line == .percent(10) && settings[0].position == 20 && settings[0].size == 60)
        #expect(settings[0].align == .start && settings[1].line == .number(-2) && settings[1].vertical == .rl)
    }

    @Test("SubRip: commas in times, numbers, overrides of SubStation", arguments: ["\n", "\r\n", "\r"])
    func subRip(lineEnd: String) throws {
        let lines = [
            "1", "00:00:01,000 --> 00:00:02,000", "{\\an8}At the top", "", "2", "00:00:03,5 --> 00:00:04,000",
            "{\\i1}Below{\\i0}", "",
        ]
        let track = try self.track(lines.joined(separator: lineEnd), type: "text/srt")
        #expect(track.format == .subRip && track.issues.isEmpty)
        #expect(self.texts(track) == ["1000-2000 At the top", "3500-4000 Below"])
        #expect(track.cues[0].settings.line == .number(0) && track.cues[1].settings == CueSettings())
    }

    @Test("TTML: times in all forms, relative to their parents; line breaks, styles and escaped characters")
    func ttml() throws {
        let track = try self.track(
            """
            <?xml version="1.0"?>
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
            xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" ttp:tickRate="1000">
            <head><styling><style xml:id="loud" tts:fontWeight="bold"/></styling>
            <layout><region xml:id="top" tts:origin="10% 10%" tts:extent="80% 20%" tts:textAlign="start"/>
            <region xml:id="low" tts:origin="10% 80%" tts:extent="80% 20%" tts:displayAlign="after"/></layout></head>
            <body begin="1s"><div>
              <p begin="00:00:01.500" end="00:00:02.500">One &lt; two &amp;
                 three<br/>lines</p>
              <p begin="50f" dur="25f" region="top" style="loud">Bold <span tts:fontStyle="italic">and more</span></p>
              <p begin="3000t" end="00:00:04:05" region="low">Low</p>
              <p begin="5s" end="7s">whole <span begin="1s" end="2s">part</span></p>
            </div></body></tt>
            """
        )
        #expect(track.format == .ttml && track.issues.isEmpty, "\(track.issues)")
        #expect(
            self.texts(track) == [
                "2500-3500 One &lt; two &amp; three\nlines", "3000-4000 <b>Bold <i>and more</i></b>", "4000-5200 Low",
                "6000-8000 whole", "7000-8000 part",
            ]
        )
        #expect(track.cues[1].settings.line == .percent(10) && track.cues[1].settings.align == .start)
        #expect(track.cues[2].settings.line == nil, "at the lower edge, where captions are without a place")
    }

    @Test("what is invalid costs the cue or the setting, and is an issue with its line")
    func repairs() throws {
        let track = try self.track(
            """
            WEBVTT

            00:05.000 --> 00:04.000
            ends before it starts

            later --> 00:04.000
            no time

            00:61.000 --> 01:04.000
            no second

            00:02.000 --> 00:03.000 line:900% align:left colour:red
            shown
            00:01.000 --> 00:02.000
            earlier, without an empty line before it

            00:01.000 --> 00:02.000

            00:05 --> 00:06,5
            read, although browsers leave it out

            """,
            type: "application/ttml+xml"
        )
        #expect(
            self.texts(track) == [
                "1000-2000 earlier, without an empty line before it", "2000-3000 shown",
                "5000-6500 read, although browsers leave it out",
            ]
        )
        #expect(track.cues[1].settings.align == .left && track.cues[1].settings.line == nil)
        #expect(
            self.codes(track) == [
                "caption.type line 1", "caption.time line 3", "caption.time line 6", "caption.time line 9",
                "caption.setting line 12", "caption.setting line 12", "caption.time line 19",
            ]
        )
    }

    @Test("TTML that is broken is read as far as it goes; a time that is none is ignored")
    func brokenTTML() throws {
        let track = try self.track(#"<tt><body><p begin="1s" end="soon" dur="1s">One</p><p begin="3s" dur="1s">Two"#)
        #expect(self.texts(track) == ["1000-2000 One"])
        #expect(self.codes(track).contains("caption.time line 1") && self.codes(track).contains("caption.xml line 1"))
    }

    @Test(
        "a file without captions says what is wrong with it",
        arguments: [
            ("", "neither WebVTT nor TTML"), ("<html><body>Not found</body></html>", "not TTML"),
            ("WEBVTT\n\nNOTE empty", "no cue"), ("{\"error\":404}", "neither WebVTT"),
            (String(repeating: " ", count: CaptionTrack.byteLimit + 1), "larger than 1 MB"),
        ]
    )
    func noCaptions(text: String, reason: String) {
        let error = #expect(throws: CaptionTrack.ReadError.self) { try self.track(text) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test("cues, texts, depth and entities are bounded")
    func bounds() throws {
        let cue = "00:01.000 --> 00:02.000\nx\n\n"
        let many = try self.track("WEBVTT\n\n" + String(repeating: cue, count: 6_000))
        #expect(self.codes(many).count == 2, "too many cues, and too many at the same time")
        #expect(many.cues.count == CaptionTrack.overlapLimit)
        let huge = try self.track("WEBVTT\n\n00:01.000 --> 00:02.000 line:-9223372036854775808\nx")
        #expect(huge.cues[0].settings.line == nil && self.codes(huge) == ["caption.setting line 3"])
        let long = try self.track("WEBVTT\n\n00:01.000 --> 00:02.000\n" + String(repeating: "x", count: 100_000))
        #expect(long.cues[0].text.utf8.count == CaptionTrack.textLimit)
        let mark = "e" + String(repeating: "\u{301}", count: 100_000)
        let one = try self.track("WEBVTT\n\n00:01.000 --> 00:02.000\n\(mark)")
        #expect(one.cues[0].text.utf8.count <= CaptionTrack.textLimit + 3)
        let deep = "<tt><body>" + String(repeating: "<div>", count: 100_000) + "<p begin='1s' end='2s'>x</p>"
        #expect(throws: CaptionTrack.ReadError.self) { try self.track(deep) }
        let laughs = (1..<10).map { "<!ENTITY a\($0) '\(String(repeating: "&a\($0 - 1);", count: 10))'>" }.joined()
        let bomb = "<!DOCTYPE tt [<!ENTITY a0 'ha'>\(laughs)]><tt><body><p begin='1s' end='2s'>x&a9;</p></body></tt>"
        let read = try? self.track(bomb)
        #expect((read?.cues.first?.text.utf8.count ?? 0) < 10_000)
    }

    @Test("any bytes are read or refused: a random mutation of a file never traps")
    func mutations() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let samples = [
            "WEBVTT\n\n00:01.000 --> 00:02.000 line:1%\n<i>a</i>\n\n", "1\n00:00:01,000 --> 00:00:02,000\n{\\an8}b\n",
            "<tt><body><div begin='1s'><p begin='1s' end='00:00:09:10'>a<br/><span>b</span></p></div></body></tt>",
        ]
        for round in 0..<3_000 {
            var bytes = Array(samples[round % samples.count].utf8)
            for _ in 0..<(1 + Int(random.next() % 4)) where !bytes.isEmpty {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[..<place], at: place)
                }
            }
            guard let track = try? CaptionTrack(bytes) else { continue }
            #expect(track.cues.allSatisfy { $0.end > $0.start }, "seed \(seed)")
        }
    }
}
