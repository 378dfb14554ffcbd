import Testing

@testable import AdCore

@Suite("Outcomes of delivery attempts")
struct DeliveryTests {
    static let url: HTTPURL = {
        guard let url = HTTPURL("http://t.example/view") else { preconditionFailure("A literal is not a valid URL.") }
        return url
    }()
    let now = WallTime(milliseconds: 1_000_000_000)

    private func call(_ guarantee: DeliveryGuarantee = .atMostOnce, _ successRule: BeaconCall.SuccessRule = .success)
        -> BeaconCall
    {
        BeaconCall(.get, TrackingURL(Self.url), successRule: successRule, guarantee: guarantee, isBilling: true)
    }

    private func decided(
        _ outcome: Result<AdHTTPResponse, TransportError>,
        _ call: BeaconCall,
        attempt: Int = 1,
        age: Duration = .zero,
        bits: UInt64 = .max
    ) -> DeliveryOutcome {
        let recorded = WallTime(milliseconds: self.now.milliseconds - age.wholeMilliseconds)
        return .decided(outcome, of: call, attempt: attempt, recorded: recorded, now: self.now, bits: bits)
    }

    private func status(_ status: Int, _ headers: AdHTTPHeaders = [:]) -> Result<AdHTTPResponse, TransportError> {
        .success(AdHTTPResponse(status: status, headers: headers, url: Self.url))
    }

    @Test(
        "a status decides whether the beacon is delivered",
        arguments: [(200, true), (204, true), (302, false), (404, false), (199, false)]
    )
    func statuses(status: Int, isDelivered: Bool) {
        #expect((self.decided(self.status(status), self.call()) == .delivered) == isDelivered)
    }

    @Test("with only200, 204 is not a success")
    func only200() {
        #expect(self.decided(self.status(204), self.call(.atMostOnce, .only200)) == .dead(reason: "status 204"))
        #expect(self.decided(self.status(200), self.call(.atMostOnce, .only200)) == .delivered)
    }

    @Test("a temporary error is retried, later each time, up to an hour", arguments: [500, 503, 429, 408])
    func retries(status: Int) {
        var last = WallTime(milliseconds: 0)
        for attempt in 1...20 {
            guard case .retry(let at, _) = self.decided(self.status(status), self.call(), attempt: attempt) else {
                Testing.Issue.record("attempt \(attempt) is not retried")
                return
            }
            #expect(at >= last)
            #expect(at - self.now <= .seconds(3600))
            last = at
        }
        #expect(last - self.now > .seconds(3500))
    }

    @Test(
        "a temporary error after a redirect is unconfirmed, because the first server may have counted",
        arguments: [503, 429, 408]
    )
    func redirected(status: Int) {
        let answer = AdHTTPResponse(status: status, url: Self.url, redirects: 1)
        let reason = "status \(status) after a redirect"
        #expect(self.decided(.success(answer), self.call()) == .unconfirmed(reason: reason))
        guard case .retry = self.decided(.success(answer), self.call(.atLeastOnce)) else {
            Testing.Issue.record("with atLeastOnce it must be retried")
            return
        }
        #expect(
            self.decided(.success(AdHTTPResponse(status: 200, url: Self.url, redirects: 3)), self.call()) == .delivered
        )
    }

    @Test("a request cancelled after it was sent, and a discarded response, are unconfirmed")
    func unconfirmed() {
        for phase in [TransportError.Phase.cancelled(sent: true), .tooLarge, .ambiguous(.truncated)] {
            let outcome: Result<AdHTTPResponse, TransportError> = .failure(TransportError(phase, "why"))
            #expect(self.decided(outcome, self.call()) == .unconfirmed(reason: "why"))
        }
        guard case .retry = self.decided(.failure(TransportError(.cancelled(sent: false), "why")), self.call()) else {
            Testing.Issue.record("what was not sent must be retried")
            return
        }
    }

    @Test("a tracker that redirects to an invalid URL counts as delivered, with an issue")
    func uncallable() {
        let outcome = Result<AdHTTPResponse, TransportError>.failure(
            TransportError(.ambiguous(.badRedirect), "http://t.example:80 redirects to 'file:///etc/passwd'")
        )
        #expect(self.decided(outcome, self.call()) == .delivered)
        #expect(self.decided(outcome, self.call(.atLeastOnce)) == .delivered)
        let issue = DeliveryOutcome.issue(of: outcome, of: self.call())
        #expect(issue?.code == "beacon.redirect" && issue?.message.contains("file:///etc/passwd") == true)
    }

    @Test("an invalid redirect of a POST or of a call whose body decides, and a redirect loop, are unconfirmed")
    func unconfirmedAfterRedirect() {
        let bad = Result<AdHTTPResponse, TransportError>.failure(TransportError(.ambiguous(.badRedirect), "why"))
        let post = BeaconCall(.post, TrackingURL(Self.url), isBilling: true)
        for call in [post, self.call(.atMostOnce, .errCodeZero), self.call(.atMostOnce, .only200)] {
            #expect(self.decided(bad, call) == .unconfirmed(reason: "why"))
            #expect(DeliveryOutcome.issue(of: bad, of: call) == nil)
        }
        let loop = Result<AdHTTPResponse, TransportError>.failure(
            TransportError(.ambiguous(.tooManyRedirects), "why")
        )
        #expect(self.decided(loop, self.call()) == .unconfirmed(reason: "why"))
        #expect(DeliveryOutcome.issue(of: self.status(200), of: self.call()) == nil)
    }

    @Test("jitter shortens a pause by half at most")
    func jitter() {
        let shortest = self.decided(self.status(500), self.call(), attempt: 5, bits: 0)
        let longest = self.decided(self.status(500), self.call(), attempt: 5, bits: .max)
        guard case .retry(let early, _) = shortest, case .retry(let late, _) = longest else {
            Testing.Issue.record("not retried")
            return
        }
        #expect(early - self.now == .seconds(8))
        #expect(late - self.now <= .seconds(16) && late > early)
    }

    @Test(
        "both forms of Retry-After are used, up to six hours",
        arguments: [
            ("120", 120), ("999999999999999999", 6 * 3600), ("-5", 1), ("nonsense", 1),
            ("Mon, 12 Jan 1970 13:48:40 GMT", 120),
        ]
    )
    func retryAfter(value: String, seconds: Int) {
        let outcome = self.decided(self.status(503, ["Retry-After": value]), self.call())
        guard case .retry(let at, _) = outcome else {
            Testing.Issue.record("not retried: \(outcome)")
            return
        }
        #expect(abs((at - self.now).inSeconds - Double(seconds)) <= 1)
    }

    @Test("what was not sent is retried; an ambiguous failure only with atLeastOnce")
    func guarantee() {
        let refused = Result<AdHTTPResponse, TransportError>.failure(TransportError(.notSent(.refused), "refused"))
        let broken = Result<AdHTTPResponse, TransportError>.failure(TransportError(.ambiguous(.truncated), "half"))
        guard case .retry = self.decided(refused, self.call()) else {
            Testing.Issue.record("not retried")
            return
        }
        #expect(self.decided(broken, self.call()) == .unconfirmed(reason: "half"))
        guard case .retry = self.decided(broken, self.call(.atLeastOnce)) else {
            Testing.Issue.record("not retried")
            return
        }
    }

    @Test("nothing is retried after its deadline, which is seven days for billing")
    func deadline() {
        guard case .retry = self.decided(self.status(500), self.call(), age: .seconds(6 * 86400)) else {
            Testing.Issue.record("given up too early")
            return
        }
        guard case .dead = self.decided(self.status(500), self.call(), age: .seconds(7 * 86400)) else {
            Testing.Issue.record("retried too long")
            return
        }
    }

    @Test("a beacon's request contains its key and is sent over a new connection")
    func request() throws {
        let beacon = Beacon(BeaconKey(ad: AdID("a"), event: .view), self.call(), of: "test")
        let request = try beacon.request()
        #expect(request.headers["idempotency-key"] == "a/-/view/0/0")
        #expect(request.repetition == .counted)
    }

    @Test("a secret is only in the request, and without it nothing is sent")
    func secret() throws {
        let header = try #require(SecretHeader("Authorization", "cards.token", prefix: "Bearer "))
        var call = self.call()
        call.secrets = [header]
        let beacon = Beacon(BeaconKey(ad: AdID("a"), event: .view), call, of: "test")
        let request = try beacon.request { $0 == "cards.token" ? "s3cret" : nil }
        #expect(request.headers["Authorization"] == "Bearer s3cret")
        #expect(request.secretHeaders == ["Authorization"])
        #expect(!"\(beacon)".contains("s3cret"))
        let error = #expect(throws: TransportError.self) { try beacon.request() }
        #expect(error?.phase == .notSent(.missingCredential))
        let broken = #expect(throws: TransportError.self) { try beacon.request { _ in "s3cret\n" } }
        #expect(broken?.phase == .notSent(.missingCredential), "nothing is sent without it")
        #expect(SecretHeader("Bad Name", "x") == nil)
    }

    @Test(
        "with errCodeZero, 0 is delivered, another number is dead, and an unreadable body is unconfirmed",
        arguments: [
            (#"{"errCode": 0}"#, "delivered"), (#"{"errCode": 0.0, "errMsg": "fine"}"#, "delivered"),
            (#"{"errCode": 7, "errMsg": "unknown\n user"}"#, "dead"), (#"{"errCode": "0"}"#, "unconfirmed"),
            ("{}", "unconfirmed"), ("<html>", "unconfirmed"), ("", "unconfirmed"),
        ]
    )
    func errCode(body: String, expected: String) {
        let answer = AdHTTPResponse(status: 200, body: Array(body.utf8), url: Self.url)
        switch self.decided(.success(answer), self.call(.atMostOnce, .errCodeZero)) {
        case .delivered: #expect(expected == "delivered")
        case .dead(let reason):
            #expect(expected == "dead")
            #expect(reason == "errCode 7: unknown user")
        case .unconfirmed: #expect(expected == "unconfirmed")
        case .retry: Testing.Issue.record("the server has answered")
        }
    }

    @Test(
        "with okNotFalse, only a body with ok false is dead",
        arguments: [
            (#"{"ok": true}"#, nil), ("{}", nil), ("", nil), ("<html>", nil), (#"{"ok": null}"#, nil), ("false", nil),
            (#"{"ok": false}"#, "the server answered ok false"), (#"{"ok": false,}"#, "the server answered ok false"),
            (#"{"error": "unknown\n ad", "ok": false}"#, "the server answered ok false: unknown ad"),
        ] as [(String, String?)]
    )
    func okNotFalse(body: String, reason: String?) {
        let answer = AdHTTPResponse(status: 200, body: Array(body.utf8), url: Self.url)
        let outcome = self.decided(.success(answer), self.call(.atLeastOnce, .okNotFalse))
        #expect(outcome == reason.map { .dead(reason: $0) } ?? .delivered)
    }

    @Test("with okNotFalse, statuses decide as usual")
    func okStatuses() {
        let call = self.call(.atMostOnce, .okNotFalse)
        #expect(self.decided(self.status(204), call) == .delivered)
        #expect(self.decided(self.status(404), call) == .dead(reason: "status 404"))
        guard case .retry = self.decided(self.status(503), call) else {
            Testing.Issue.record("a server error must be retried")
            return
        }
    }

    @Test("a key is valid in a header, whatever the event's name", arguments: ["a b", "ü\u{0}", "x\r\nY: z"])
    func keys(name: String) throws {
        let key = BeaconKey(ad: AdID("a"), event: BeaconEvent(name))
        #expect(key.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(BeaconKey(ad: key.ad, event: key.event, providerKey: key.text) == key, "a valid key is not changed")
        #expect(key != BeaconKey(ad: AdID("a"), event: BeaconEvent(name + "2")))
    }

    @Test("different paths and events never have the same key")
    func distinctKeys() {
        let one = BeaconKey(ad: AdID("a"), path: "x/y", event: "z")
        #expect(one != BeaconKey(ad: AdID("a"), path: "x", event: "y/z"))
    }

    @Test("a long key is cut, and stays distinct from keys with the same beginning")
    func longKeys() {
        let long = String(repeating: "é", count: 100_000)
        let keys = ["1", "2"].map { BeaconKey(ad: AdID("a"), event: BeaconEvent(long + $0)) }
        #expect(keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.text.utf8.count <= 512 })
        #expect(BeaconKey(ad: keys[0].ad, event: keys[0].event, providerKey: keys[0].text) == keys[0])
    }
}
