import AdCore
import LoopbackServer
import PlayReport
import SystemSupport

/// Serves a lab on loopback.
///
/// Every request must have the token of the lab and a `Host` of this computer with the server's port. A request with
/// another `Origin` is refused, so that pages of other origins can neither read nor start anything.
package final class LabServer: Sendable {
    package let port: Int
    private let token: String
    private let lab: Lab
    private let server: HTTPServer

    /// The address of the page.
    package var url: String { "http://127.0.0.1:\(self.port)/?token=\(self.token)" }

    /// The size limit for requests, in bytes: a file in Base64, and the rest of the body.
    static let bodyLimit = (LabOrder.maxDocumentBytes / 3 + 1) * 4 + (1 << 20)

    /// Starts a server; port 0 selects a free one.
    package init(_ lab: Lab, port: Int, token: String) throws(LabError) {
        do throws(ServerError) {
            let listener = try HTTPServer.Listener(port: port)
            let responder = LabResponder(lab, token: token, address: LoopbackAddress(port: listener.port))
            self.server = try HTTPServer(
                listener,
                bodyLimit: LabServer.bodyLimit,
                refuse: { responder.refusal(of: $0) },
                respond: { responder.respond(to: $0) }
            )
        } catch {
            throw LabError(error.message)
        }
        self.port = self.server.port
        self.lab = lab
        self.token = token
    }

    /// Ends all ads and closes all connections.
    package func stop() {
        self.lab.end()
        self.server.stop()
    }
}

/// Responds to the requests of pages and scripts.
struct LabResponder: Sendable {
    private let lab: Lab
    private let token: String
    private let address: LoopbackAddress
    private let files: PageFiles

    init(_ lab: Lab, token: String, address: LoopbackAddress) {
        self.lab = lab
        self.token = token
        self.address = address
        self.files = PageFiles(token: token)
    }

    func respond(to request: ServerRequest) -> ServerResponse {
        LabResponder.secured(self.checkedResponse(to: request))
    }

    /// A response with the headers that protect the page; a later one gets them when it is known.
    private static func secured(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.later = response.later?.map(self.secured)
        // The page loads only the lab's own files, and can't be embedded (W3C Content Security Policy Level 3).
        if response.headers["Content-Security-Policy"] == nil {
            response.headers["Content-Security-Policy"] = LabResponder.policy
        }
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        return response
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

    /// The report page contains its style and pictures, and no scripts.
    private static let reportPolicy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

    /// The response to a request that is not allowed, by its headers; nil for others.
    func refusal(of request: ServerRequest) -> ServerResponse? { self.refused(request).map(LabResponder.secured) }

    private func refused(_ request: ServerRequest) -> ServerResponse? {
        guard self.address.matchesHost(of: request), request.headers["host"] != nil else {
            return .failure(403, "unknown Host; use the address that yabbi-play lab has printed")
        }
        guard self.address.matchesOrigin(of: request), !LabResponder.isOfOtherSite(request) else {
            return .failure(403, "a page of another origin can't use the lab")
        }
        guard self.hasToken(request) else {
            return .failure(403, "the token is missing or wrong; use the address that yabbi-play lab has printed")
        }
        return nil
    }

    private func checkedResponse(to request: ServerRequest) -> ServerResponse {
        if let refusal = self.refused(request) { return refusal }
        switch LabRequest.read(request, page: { self.files.contains($0) }) {
        case .failure(let error): return .failure(error.status, error.message)
        case .success(let decoded):
            do throws(LabError) {
                return try self.response(to: decoded, request)
            } catch {
                return .failure(error.status, error.message, field: error.field)
            }
        }
    }

    /// Whether a page of another site sends the request (W3C Fetch Metadata).
    private static func isOfOtherSite(_ request: ServerRequest) -> Bool {
        let site = request.headers["sec-fetch-site"] ?? "none"
        // A link from another document may open the lab.
        if request.headers["sec-fetch-mode"] == "navigate", request.headers["sec-fetch-dest"] == "document" {
            return false
        }
        return site != "none" && site != "same-origin"
    }

    /// Compares in constant time, so that the token can't be guessed from the time of responses.
    private func hasToken(_ request: ServerRequest) -> Bool {
        let bearer = request.headers["authorization"].flatMap { value in
            value.hasPrefix("Bearer ") ? String(value.dropFirst(7)) : nil
        }
        guard let given = bearer ?? request.queryValue("token") else { return false }
        let (left, right) = (Array(given.utf8), Array(self.token.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: Responses

    private func response(to decoded: LabRequest, _ request: ServerRequest) throws(LabError) -> ServerResponse {
        switch decoded {
        case .page(let name): return self.files.response(for: name)
        case .options: return .json(self.lab.host.offers)
        case .ads: return .json(["ads": .array(self.lab.ads.map { $0.summary(isWhole: false) })])
        case .start: return try self.start(try LabResponder.json(request))
        case .compare: return try self.compare(try LabResponder.json(request))
        case .ad(let id): return .json(try self.ad(id).summary(isWhole: true))
        case .events(let id, let line): return self.events(of: try self.ad(id), after: line)
        case .picture(let id, let number): return self.picture(of: try self.ad(id), after: number)
        case .keptPicture(let id, let number):
            guard let picture = try self.ad(id).picture(number) else {
                throw LabError("picture \(number) is not kept", status: 404)
            }
            return LabResponder.response(picture)
        case .document(let id, let number):
            guard let document = try self.ad(id).document(number) else {
                throw LabError("document \(number) is not kept", status: 404)
            }
            return .text(document.text, type: "text/plain; charset=utf-8")
        case .input(let id):
            try self.run(id).send(try LabInput(try LabResponder.json(request)))
            return ServerResponse(status: 204)
        case .action(let id):
            let run = try self.run(id)
            if let action = try LabAction.read(try LabResponder.json(request)) {
                try run.perform(action)
            } else {
                run.end()
            }
            return ServerResponse(status: 204)
        case .command(let id):
            let file = try self.ad(id).order.file
            return .json(["text": .string(try self.run(id).command), "file": .text(file?.name)])
        case .original(let id):
            guard let file = try self.ad(id).order.file else {
                throw LabError("the source of \(id) was not sent by the page", status: 404)
            }
            return LabResponder.download(file.bytes, type: "application/octet-stream", named: file.name)
        case .source(let id):
            let run = try self.run(id)
            return self.later { .json(await run.source()) }
        case .structure(let id):
            let run = try self.run(id)
            return self.later { .json(await run.structure()) }
        case .file(let id, let kind): return self.file(kind, of: try self.run(id), named: id)
        }
    }

    private func ad(_ id: String) throws(LabError) -> LabAd {
        guard let ad = self.lab.ad(id) else { throw LabError("there is no ad \(id.excerpt(40))", status: 404) }
        ad.touch()
        return ad
    }

    private func run(_ id: String) throws(LabError) -> any LabRun {
        guard let run = try self.ad(id).run else { throw LabError("the ad \(id) has not started", status: 409) }
        return run
    }

    private static func json(_ request: ServerRequest) throws(LabError) -> AdJSON {
        guard let json = try? AdJSON(parsing: request.body) else { throw LabError("the body is not JSON") }
        return json
    }

    private func start(_ json: AdJSON) throws(LabError) -> ServerResponse {
        let order = try LabOrder(json) { self.lab.ad($0)?.order }
        let ad = try self.lab.start(order, ordered: LabResponder.ordered(json))
        return .json(["id": .string(ad.id)], status: 201)
    }

    /// The order for the list of ads: without the data of a file and without pasted markup, which `LabOrder` has.
    private static func ordered(_ json: AdJSON) -> AdJSON {
        var source: [AdJSON.Member] = []
        if case .object(let members)? = json["source"] {
            let isMarkup = json["source"]?["kind"] == "markup"
            source = members.filter { $0.name != "data" && ($0.name != "text" || !isMarkup) }
        }
        return ["source": .object(source), "options": json["options"] ?? [:]]
    }

    private func compare(_ json: AdJSON) throws(LabError) -> ServerResponse {
        let (a, b) = (try self.side("a", in: json), try self.side("b", in: json))
        return self.later { [lab] in
            do throws(LabError) {
                return .json(try await lab.host.compare(a, b))
            } catch {
                return .failure(error.status, error.message, field: error.field)
            }
        }
    }

    private func side(_ field: String, in json: AdJSON) throws(LabError) -> LabSide {
        if let id = json[field]?.string { return .run(try self.run(id)) }
        guard let name = json[field]?["name"]?.string, let data = json[field]?["data"]?.string,
            let bytes = Base64.bytes(data)
        else {
            throw LabError("\(field) must be the id of an ad, or a file with its name and data in base64", field: field)
        }
        return .file(bytes, name: name.excerpt(200))
    }

    // MARK: Streams

    private func events(of ad: LabAd, after line: Int) -> ServerResponse {
        let cursor = Locked(ad.cursor(after: line))
        ad.addWatcher()
        let body = LiveBody(
            waker: ad.waker,
            keepAlive: Array(": still here\n\n".utf8),
            next: {
                cursor.withLock { cursor in
                    if let bytes = ad.next(&cursor) { return .bytes(bytes) }
                    return cursor.hasEnded ? .end : .wait
                }
            },
            onEnd: { ad.removeWatcher() }
        )
        return ServerResponse(status: 200, headers: ["Content-Type": "text/event-stream"], body: .live(body))
    }

    /// How long a request waits for a picture.
    private static let pictureWait = Duration.seconds(25)

    private func picture(of ad: LabAd, after number: Int) -> ServerResponse {
        var response = ServerResponse(status: 204)
        ad.addWatcher()
        response.later = LaterResponse(waker: ad.waker, limit: LabResponder.pictureWait) {
            switch ad.latestPicture(after: number) {
            case (let picture?, _): LabResponder.response(picture)
            case (nil, true): .failure(410, "the ad has ended")
            case (nil, false): nil
            }
        } onEnd: {
            ad.removeWatcher()
        }
        return response
    }

    private static func response(_ picture: FilmStrip.Picture) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                "Content-Type": "image/jpeg", "x-frame": String(picture.number), "x-time": String(picture.time),
            ],
            body: .bytes(picture.bytes)
        )
    }

    // MARK: Files

    private func file(_ kind: LabFile, of run: any LabRun, named id: String) -> ServerResponse {
        self.later {
            guard let bytes = await run.file(kind) else {
                return .failure(404, "there is no \(kind.rawValue) of this ad; it may not have been shown")
            }
            guard kind == .report || kind == .screenshot else {
                return LabResponder.download(bytes, type: kind.type, named: "\(id)-\(kind.fileName)")
            }
            var headers: AdHTTPHeaders = ["Content-Type": kind.type]
            if kind == .report { headers["Content-Security-Policy"] = LabResponder.reportPolicy }
            return ServerResponse(status: 200, headers: headers, body: .bytes(bytes))
        }
    }

    /// A file that a browser saves (RFC 6266 §4).
    private static func download(_ bytes: [UInt8], type: String, named name: String) -> ServerResponse {
        let headers: AdHTTPHeaders = [
            "Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\"",
        ]
        return ServerResponse(status: 200, headers: headers, body: .bytes(bytes))
    }

    /// How long such a task may take.
    private static let workLimit = Duration.seconds(60)

    /// A response that is the result of a task.
    private func later(_ body: @escaping @Sendable () async -> ServerResponse) -> ServerResponse {
        let waker = Waker()
        let result = Locked<ServerResponse?>(nil)
        let task = Task {
            let response = await body()
            result.withLock { $0 = response }
            waker.wake()
        }
        var response = ServerResponse.failure(504, "the response took longer than a minute; try again")
        response.later = LaterResponse(waker: waker, limit: LabResponder.workLimit) {
            result.withLock { $0 }
        } onEnd: {
            task.cancel()
        }
        return response
    }
}
