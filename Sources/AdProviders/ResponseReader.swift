import AdCore

/// Reads HTTP responses: the part that is the same for all providers.
enum ResponseReader {
    /// The body of a response; nil when its status (204) or an empty body means that there is no ad.
    static func body(of response: AdHTTPResponse) throws(AdError) -> [UInt8]? {
        guard response.status != 204 else { return nil }
        guard (200...299).contains(response.status) else {
            let quote = self.quote(response.body)
            let detail = quote.isEmpty ? "" : ": \(quote)"
            throw AdError(.serverStatus, "the server responded with status \(response.status)\(detail)")
        }
        return response.body.allSatisfy(\.isWhiteSpace) ? nil : response.body
    }

    /// Parses the JSON object in a body, and returns it with the repairs that were needed.
    static func object(
        _ body: [UInt8],
        contentType: String?
    ) throws(AdError) -> (json: AdJSON, repairs: [AdIssue]) {
        let text = ResponseText(body, contentType: contentType)
        let parsed: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.ParseError) {
            parsed = try AdJSON.reading(text.utf8)
        } catch {
            throw self.notJSON(text.utf8, error).adding(text.repairs)
        }
        guard case .object = parsed.json else {
            throw AdError(.unreadableResponse, "the response is \(parsed.json.kind); expected an object")
        }
        return (parsed.json, text.repairs + parsed.repairs)
    }

    /// Reads a part of a response; a thrown error also carries the repairs that came before it.
    static func part<Part>(
        after repairs: [AdIssue],
        _ read: () throws(AdError) -> Part
    ) throws(AdError) -> Part {
        do throws(AdError) {
            return try read()
        } catch {
            throw error.adding(repairs)
        }
    }

    private static func notJSON(_ body: [UInt8], _ error: AdJSON.ParseError) -> AdError {
        let withoutByteOrderMark = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        guard withoutByteOrderMark.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "<") else {
            return AdError(
                .unreadableResponse,
                "the response is not JSON: \(error.message) (column \(error.column))",
                at: .init(line: error.line),
                underlying: error
            )
        }
        let text =
            "the response is HTML or XML; expected JSON: check the URL, and the network for a login page"
        return AdError(.unreadableResponse, text, underlying: error)
    }

    /// The first 200 characters of a body, or an empty text when the body is binary.
    private static func quote(_ body: [UInt8]) -> String {
        let start = body.prefix(1024)
        return start.contains(0) ? "" : String(decoding: start, as: UTF8.self).excerpt(200)
    }
}
