package import AdCore

/// Responses that may be used again, so that a file of many creatives is not fetched for each (RFC 9111, as a private
/// cache).
///
/// Only what a server allows explicitly is kept: a response with `max-age` that does not vary by more than its encoding
/// and sets no cookie.
package struct FetchCache: Sendable {
    /// A request, as far as its response depends on it.
    private struct Key: Hashable {
        let url: String
        let headers: AdHTTPHeaders
        let reach: AdHTTPRequest.Reach

        init(_ request: AdHTTPRequest) {
            self.url = request.url.text
            self.headers = request.headers
            self.reach = request.reach
        }
    }

    private struct Entry {
        let response: AdHTTPResponse
        let end: Duration
    }

    /// The maximum size of a response, in bytes.
    package static let responseLimit = 16 << 20
    /// The maximum size of all of them, and their number; the oldest are removed.
    package static let limit = 64 << 20
    package static let countLimit = 1_000

    private var entries: [Key: Entry] = [:]
    /// The oldest first.
    private var order: [Key] = []
    /// The size of all bodies, in bytes.
    package private(set) var size = 0
    package var count: Int { self.entries.count }

    package init() {}

    /// Whether a request is one whose response may be shared: for a document behind a wrapper or a media file, not for a
    /// tag or a tracker.
    private static func isShared(_ request: AdHTTPRequest) -> Bool {
        request.method == .get && request.repetition == .harmless && [.wrapper, .media].contains(request.purpose)
    }

    /// The response to a request, if it is fresh and within the request's limits.
    package func response(to request: AdHTTPRequest, at now: Duration) -> AdHTTPResponse? {
        guard Self.isShared(request), let entry = self.entries[Key(request)], now < entry.end,
            entry.response.body.count <= request.limits.body
        else { return nil }
        return entry.response
    }

    /// Keeps a response if the server allows it.
    package mutating func keep(_ response: AdHTTPResponse, to request: AdHTTPRequest, at now: Duration) {
        guard Self.isShared(request), response.status == 200, response.redirects == 0,
            response.body.count <= Self.responseLimit, let time = Self.freshTime(of: response.headers)
        else { return }
        let key = Key(request)
        self.remove(key)
        self.entries[key] = Entry(response: response, end: now + time)
        self.order.append(key)
        self.size += response.body.count
        while self.size > Self.limit || self.count > Self.countLimit, let oldest = self.order.first {
            self.remove(oldest)
        }
    }

    private mutating func remove(_ key: Key) {
        guard let entry = self.entries.removeValue(forKey: key) else { return }
        self.size -= entry.response.body.count
        self.order.removeAll { $0 == key }
    }

    /// For how long a response with these headers stays fresh; nil if it may not be kept.
    private static func freshTime(of headers: AdHTTPHeaders) -> Duration? {
        guard headers["Set-Cookie"] == nil else { return nil }
        let varies = self.words(of: "Vary", in: headers)
        guard varies.allSatisfy({ $0 == "accept-encoding" }) else { return nil }
        let directives = self.words(of: "Cache-Control", in: headers)
        // A quoted value may contain commas, and no directive that is needed here has one.
        let refused = ["no-store", "no-cache"]
        guard !directives.contains(where: { refused.contains($0) || $0.utf8.contains(UInt8(ascii: "\"")) }) else {
            return nil
        }
        let ages = directives.filter { $0.hasPrefix("max-age=") }.map { self.seconds($0.dropFirst("max-age=".count)) }
        // With two of them the response is not trusted (RFC 9111 §4.2.1).
        guard ages.count == 1, let age = ages[0], let spent = headers["Age"].map({ self.seconds($0[...]) }) ?? 0 else {
            return nil
        }
        return age > spent ? .seconds(age - spent) : nil
    }

    /// A number of seconds, at most a year; nil for another text.
    private static func seconds(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(text) ?? .max, 31_536_000)
    }

    /// The words of a header with a list, in lower case.
    private static func words(of name: String, in headers: AdHTTPHeaders) -> [String] {
        headers.fields.filter { $0.name.asciiLowercased == name.asciiLowercased }
            .flatMap { $0.value.split(separator: ",") }
            .map { String($0).trimmed.asciiLowercased }
    }
}
