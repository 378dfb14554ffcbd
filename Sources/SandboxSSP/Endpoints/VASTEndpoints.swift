import AdCore
import LoopbackServer

/// VAST files by name, and generated VAST: wrapper chains, delayed and invalid responses.
enum VASTEndpoints {
    static let all = [
        Self.endpoint("/vast/chain", "hops=N wrappers (default 3) and an ad; unit=NAME names their trackers") {
            request,
            state throws(FieldError) in
            try Self.chain(request, state)
        },
        Self.endpoint("/vast/endless", "wrapper number n=N, whose VASTAdTagURI is the next wrapper, without end") {
            request,
            state throws(FieldError) in
            let number = try request.integerQueryValue("n", in: 1...1_000_000_000) ?? 1
            let vast = GeneratedVAST(request, defaultUnit: "vast-endless", state)
            return .vast(vast.wrapper(number, to: "/vast/endless?n=\(number + 1)&unit=\(vast.unit)"))
        },
        Self.endpoint("/vast/slow", "an ad after ms=N milliseconds (default: as the placement slow)") {
            request,
            state throws(FieldError) in
            let milliseconds = try request.integerQueryValue("ms", in: 0...600_000)
            var response = ServerResponse.vast(GeneratedVAST(request, defaultUnit: "vast-slow", state).inline)
            response.delay = milliseconds.map { .milliseconds($0) } ?? state.slowDelay
            return response
        },
        Self.endpoint("/vast/html", "an HTML page instead of VAST") { _, _ throws(FieldError) in
            .signIn
        },
        Endpoint(
            path: .prefix("/vast/"),
            methods: ["GET"],
            about: "a VAST or VMAP file of the creatives, named without .xml",
            isAdRequest: true
        ) { request, state in
            Self.named(PercentEncoding.decoded(Substring(request.path.utf8.dropFirst("/vast/".utf8.count))), state)
        },
    ]

    private static func endpoint(
        _ path: String,
        _ about: String,
        _ response: @escaping @Sendable (ServerRequest, SandboxState) throws(FieldError) -> ServerResponse
    ) -> Endpoint {
        Endpoint(path: .exact(path), methods: ["GET"], about: about, isAdRequest: true) { request, state in
            do throws(FieldError) {
                return try response(request, state)
            } catch {
                return .failure(error)
            }
        }
    }

    /// A file of the creatives' folder `vast`.
    private static func named(_ name: String, _ state: SandboxState) -> ServerResponse {
        guard let bytes = state.catalogue.files["vast/\(name).xml"] else {
            let names = state.catalogue.files.keys.sorted().compactMap { path in
                path.hasPrefix("vast/") && path.hasSuffix(".xml") ? String(path.dropFirst(5).dropLast(4)) : nil
            }
            let known = (names + ["chain", "endless", "slow", "html"]).joined(separator: ", ")
            return .failure(404, "there is no VAST named \"\(name)\"; available: \(known)")
        }
        return .vast(state.expanded(bytes))
    }

    /// A wrapper of a chain, or the ad at its end.
    private static func chain(_ request: ServerRequest, _ state: SandboxState) throws(FieldError) -> ServerResponse {
        let hops = try request.integerQueryValue("hops", in: 0...1000) ?? 3
        // `of` is the number of wrappers at the start, so that each wrapper has its position.
        let first = try request.integerQueryValue("of", in: hops...1000) ?? hops
        let vast = GeneratedVAST(request, defaultUnit: "vast-chain", state)
        guard hops > 0 else { return .vast(vast.inline) }
        return .vast(
            vast.wrapper(first - hops + 1, to: "/vast/chain?hops=\(hops - 1)&of=\(first)&unit=\(vast.unit)")
        )
    }
}

/// Generated VAST.
struct GeneratedVAST {
    /// The name in its trackers, percent-encoded.
    let unit: String
    private let base: String

    /// Creates VAST for a request; the query field `unit` names its trackers.
    init(_ request: ServerRequest, defaultUnit: String, _ state: SandboxState) {
        let requested = request.queryValue("unit") ?? ""
        self.unit = PercentEncoding.component(requested.isEmpty ? defaultUnit : requested)
        self.base = state.base
    }

    /// A wrapper (VAST 3.0) whose `VASTAdTagURI` is another path of the sandbox.
    func wrapper(_ number: Int, to path: String) -> [UInt8] {
        let source = "wrapper-\(number)"
        return self.document(
            source,
            """
                <Wrapper>
                  <AdSystem version="1">Sandbox</AdSystem>
                  <VASTAdTagURI>\(self.cdata(path))</VASTAdTagURI>
            \(self.errorAndImpression(source))
                  <Creatives>
                    <Creative>
                      <Linear>
            \(self.trackingEvents(source))
                      </Linear>
                    </Creative>
                  </Creatives>
                </Wrapper>
            """
        )
    }

    /// An inline ad of six seconds; its media files are among the bundled creatives.
    var inline: [UInt8] {
        self.document(
            "made",
            """
                <InLine>
                  <AdSystem version="1">Sandbox</AdSystem>
                  <AdTitle>Sokketri: two is not enough</AdTitle>
            \(self.errorAndImpression("inline"))
                  <Creatives>
                    <Creative id="made-video">
                      <Linear>
                        <Duration>00:00:06</Duration>
            \(self.trackingEvents("inline", clickThrough: "/landing?from=\(self.unit)"))
                        <MediaFiles>
                          <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">\
            \(self.cdata("/creatives/media/sokketri.mp4"))</MediaFile>
                          <MediaFile delivery="progressive" type="video/webm" width="640" height="360">\
            \(self.cdata("/creatives/media/sokketri.webm"))</MediaFile>
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

    private func errorAndImpression(_ source: String) -> String {
        """
              <Error>\(self.cdata("/t/vast/\(self.unit)/\(source)/error?code=[ERRORCODE]"))</Error>
              <Impression>\(self.cdata("/t/vast/\(self.unit)/\(source)/impression"))</Impression>
        """
    }

    private func trackingEvents(_ source: String, clickThrough path: String? = nil) -> String {
        var lines = ["            <TrackingEvents>"]
        for event in ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete"] {
            let url = self.cdata("/t/vast/\(self.unit)/\(source)/\(event)")
            lines.append("              <Tracking event=\"\(event)\">\(url)</Tracking>")
        }
        lines += ["            </TrackingEvents>", "            <VideoClicks>"]
        if let path { lines.append("              <ClickThrough>\(self.cdata(path))</ClickThrough>") }
        let click = self.cdata("/t/vast/\(self.unit)/\(source)/click")
        lines += ["              <ClickTracking>\(click)</ClickTracking>", "            </VideoClicks>"]
        return lines.joined(separator: "\n")
    }

    /// A URL of the sandbox in a CDATA section; everything from outside in it is percent-encoded, so it can't end the
    /// section.
    private func cdata(_ path: String) -> String { "<![CDATA[\(self.base)\(path)]]>" }
}

extension ServerResponse {
    /// A VAST response; players in a browser load it from any origin (CORS).
    fileprivate static func vast(_ bytes: [UInt8]) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                "Content-Type": "application/xml", "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store",
            ],
            body: .bytes(bytes)
        )
    }
}

extension ServerRequest {
    /// An integer query field; nil when it is absent.
    func integerQueryValue(_ name: String, in bounds: ClosedRange<Int>) throws(FieldError) -> Int? {
        guard let text = self.queryValue(name) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw FieldError(
                name,
                "must be an integer between \(bounds.lowerBound) and \(bounds.upperBound), not \"\(text)\""
            )
        }
        return number
    }
}
