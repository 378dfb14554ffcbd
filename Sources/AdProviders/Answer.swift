import AdCore

/// What every provider's answer goes through before its own protocol is read.
enum Answer {
    /// The body of an answer, or nil where the answer says by its status or its emptiness that there is no ad.
    static func body(of response: AdHTTPResponse) throws(AdError) -> [UInt8]? {
        guard response.status != 204 else { return nil }
        guard (200...299).contains(response.status) else {
            let quote = self.quote(response.body)
            let said = quote.isEmpty ? "" : " and says: \(quote)"
            throw AdError(.serverStatus, "the server answered with status \(response.status)\(said)")
        }
        return response.body.allSatisfy(\.isWhiteSpace) ? nil : response.body
    }

    /// The JSON object in a body with what was repaired in it, or why there is none.
    static func object(
        _ body: [UInt8],
        of response: AdHTTPResponse
    ) throws(AdError) -> (json: AdJSON, repairs: [AdIssue]) {
        let text = AnswerText(body, contentType: response.headers["Content-Type"])
        let answer: (json: AdJSON, repairs: [AdIssue])
        do throws(AdJSON.Fault) {
            answer = try AdJSON.reading(text.utf8)
        } catch {
            throw self.noJSON(text.utf8, error).adding(text.repairs)
        }
        guard case .object = answer.json else {
            throw AdError(.unreadableAnswer, "the answer is \(answer.json.kind) where an object should be")
        }
        return (answer.json, text.repairs + answer.repairs)
    }

    /// Reads a part of an answer; a failure tells also what was repaired before it.
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

    private static func noJSON(_ body: [UInt8], _ fault: AdJSON.Fault) -> AdError {
        let afterMark = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        guard afterMark.first(where: { !$0.isWhiteSpace }) == UInt8(ascii: "<") else {
            return AdError(
                .unreadableAnswer,
                "the answer is no JSON: \(fault.message) (column \(fault.column))",
                at: .init(line: fault.line),
                underlying: fault
            )
        }
        let text =
            "the answer is a page of HTML or XML where JSON should be: check the address, or a login page of the network"
        return AdError(.unreadableAnswer, text, underlying: fault)
    }

    /// The first 200 characters of a body that is text.
    private static func quote(_ body: [UInt8]) -> String {
        let start = body.prefix(1024)
        return start.contains(0) ? "" : String(decoding: start, as: UTF8.self).excerpt(200)
    }
}
