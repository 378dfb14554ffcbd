import AdCore

/// VAST by its name, and VAST that is made while it is asked for: chains of wrappers, answers that come late or are none.
enum VASTEndpoints {
    static let all = [
        Self.endpoint("/vast/chain", "hops=N wrappers (3 without it), then an ad; unit=NAME names their trackers") {
            request,
            state throws(FieldFault) in
            try Self.chain(request, state)
        },
        Self.endpoint("/vast/endless", "a wrapper, number n=N, which leads to the next, for ever") {
            request,
            state throws(FieldFault) in
            let number = try request.wholeQueryValue("n", in: 1...1_000_000_000) ?? 1
            let made = MadeVAST(request, usually: "vast-endless", state)
            return .vast(made.wrapper(number, to: "/vast/endless?n=\(number + 1)&unit=\(made.unit)"))
        },
        Self.endpoint("/vast/slow", "an ad that comes after ms=N milliseconds (as late as the unit slow, without it)") {
            request,
            state throws(FieldFault) in
            let milliseconds = try request.wholeQueryValue("ms", in: 0...600_000)
            var reply = SandboxReply.vast(MadeVAST(request, usually: "vast-slow", state).inline)
            reply.delay = milliseconds.map { .milliseconds($0) } ?? state.slowness
            return reply
        },
        Self.endpoint("/vast/html", "a page for people where VAST is wanted") { _, _ throws(FieldFault) in
            .signIn
        },
        Endpoint(
            place: .below("/vast/"),
            methods: ["GET"],
            about: "the VAST or VMAP of that name: a file of the creatives, without its .xml",
            isAdRequest: true
        ) { request, state in
            Self.named(PercentEncoding.decoded(Substring(request.path.utf8.dropFirst("/vast/".utf8.count))), state)
        },
    ]

    private static func endpoint(
        _ path: String,
        _ about: String,
        _ reply: @escaping @Sendable (SandboxRequest, SandboxState) throws(FieldFault) -> SandboxReply
    ) -> Endpoint {
        Endpoint(place: .at(path), methods: ["GET"], about: about, isAdRequest: true) { request, state in
            do throws(FieldFault) {
                return try reply(request, state)
            } catch {
                return .failure(error)
            }
        }
    }

    /// A file of the folder `vast`.
    private static func named(_ name: String, _ state: SandboxState) -> SandboxReply {
        guard let bytes = state.catalogue.files["vast/\(name).xml"] else {
            let names = state.catalogue.files.keys.sorted().compactMap { path in
                path.hasPrefix("vast/") && path.hasSuffix(".xml") ? String(path.dropFirst(5).dropLast(4)) : nil
            }
            let known = (names + ["chain", "endless", "slow", "html"]).joined(separator: ", ")
            return .failure(404, "there is no VAST called \"\(name)\"; known are \(known)")
        }
        return .vast(state.resolved(bytes))
    }

    /// The first of some wrappers, or the ad behind the last.
    private static func chain(_ request: SandboxRequest, _ state: SandboxState) throws(FieldFault) -> SandboxReply {
        let hops = try request.wholeQueryValue("hops", in: 0...1000) ?? 3
        // What is handed on from wrapper to wrapper: how many there were at first, so that each knows its number.
        let first = try request.wholeQueryValue("of", in: hops...1000) ?? hops
        let made = MadeVAST(request, usually: "vast-chain", state)
        guard hops > 0 else { return .vast(made.inline) }
        return .vast(
            made.wrapper(first - hops + 1, to: "/vast/chain?hops=\(hops - 1)&of=\(first)&unit=\(made.unit)")
        )
    }
}

/// VAST that no file holds.
struct MadeVAST {
    /// What its trackers are called by, written as a part of an address.
    let unit: String
    private let base: String

    /// Made for a request, which may name the trackers with `unit`.
    init(_ request: SandboxRequest, usually unit: String, _ state: SandboxState) {
        let asked = request.queryValue("unit") ?? ""
        self.unit = PercentEncoding.component(asked.isEmpty ? unit : asked)
        self.base = state.base
    }

    /// A wrapper that leads to another path of the sandbox.
    func wrapper(_ number: Int, to path: String) -> [UInt8] {
        let who = "wrapper-\(number)"
        return self.document(
            who,
            """
                <Wrapper>
                  <AdSystem version="1">Sandbox</AdSystem>
                  <VASTAdTagURI>\(self.address(path))</VASTAdTagURI>
            \(self.counted(who))
                  <Creatives>
                    <Creative>
                      <Linear>
            \(self.tracked(who))
                      </Linear>
                    </Creative>
                  </Creatives>
                </Wrapper>
            """
        )
    }

    /// An ad of six seconds; its film is among the bundled creatives.
    var inline: [UInt8] {
        self.document(
            "made",
            """
                <InLine>
                  <AdSystem version="1">Sandbox</AdSystem>
                  <AdTitle>Sokketri: two is not enough</AdTitle>
            \(self.counted("inline"))
                  <Creatives>
                    <Creative id="made-film">
                      <Linear>
                        <Duration>00:00:06</Duration>
            \(self.tracked("inline", through: "/landing?from=\(self.unit)"))
                        <MediaFiles>
                          <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">\
            \(self.address("/creatives/media/sokketri.mp4"))</MediaFile>
                          <MediaFile delivery="progressive" type="video/webm" width="640" height="360">\
            \(self.address("/creatives/media/sokketri.webm"))</MediaFile>
                        </MediaFiles>
                      </Linear>
                    </Creative>
                  </Creatives>
                </InLine>
            """
        )
    }

    private func document(_ id: String, _ body: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <VAST version="3.0">
              <Ad id="\(id)">
            \(body)
              </Ad>
            </VAST>

            """.utf8
        )
    }

    private func counted(_ who: String) -> String {
        """
              <Error>\(self.address("/t/vast/\(self.unit)/\(who)/error?code=[ERRORCODE]"))</Error>
              <Impression>\(self.address("/t/vast/\(self.unit)/\(who)/impression"))</Impression>
        """
    }

    private func tracked(_ who: String, through path: String? = nil) -> String {
        var lines = ["            <TrackingEvents>"]
        for event in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] {
            let address = self.address("/t/vast/\(self.unit)/\(who)/\(event)")
            lines.append("              <Tracking event=\"\(event)\">\(address)</Tracking>")
        }
        lines += ["            </TrackingEvents>", "            <VideoClicks>"]
        if let path { lines.append("              <ClickThrough>\(self.address(path))</ClickThrough>") }
        let click = self.address("/t/vast/\(self.unit)/\(who)/click")
        lines += ["              <ClickTracking>\(click)</ClickTracking>", "            </VideoClicks>"]
        return lines.joined(separator: "\n")
    }

    /// An address of the sandbox as XML; nothing in it can end the section, because whatever came from outside is escaped.
    private func address(_ path: String) -> String { "<![CDATA[\(self.base)\(path)]]>" }
}

extension SandboxReply {
    /// A document for a player, which in a browser may have come from anywhere.
    fileprivate static func vast(_ bytes: [UInt8]) -> SandboxReply {
        SandboxReply(
            status: 200,
            headers: [
                "Content-Type": "application/xml", "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store",
            ],
            body: .bytes(bytes)
        )
    }
}

extension SandboxRequest {
    /// A whole number of the query; nil where there is none.
    func wholeQueryValue(_ name: String, in bounds: ClosedRange<Int>) throws(FieldFault) -> Int? {
        guard let text = self.queryValue(name) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw FieldFault(
                name,
                "must be a whole number between \(bounds.lowerBound) and \(bounds.upperBound), not \"\(text)\""
            )
        }
        return number
    }
}
