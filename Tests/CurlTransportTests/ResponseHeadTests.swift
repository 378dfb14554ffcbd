import AdCore
import Testing

@testable import CurlTransport

@Suite("Response headers")
struct ResponseHeadTests {
    private func head(_ lines: String...) -> (head: ResponseHead, isWithin: Bool) {
        var head = ResponseHead()
        let isWithin = lines.allSatisfy { head.append(Array($0.utf8)) }
        return (head, isWithin)
    }

    @Test("fields are read in order, folded lines are joined, and lines without a field are ignored")
    func fields() {
        let (head, _) = self.head(
            "HTTP/1.1 200 OK\r\n",
            "A: 1 \r\n",
            "B:\r\n",
            "no field\r\n",
            "C: x\r\n",
            "  y\r\n",
            "\r\n"
        )
        #expect(head.headers.fields.map(\.name) == ["A", "B", "C"])
        #expect(head.headers.fields.map(\.value) == ["1", "", "x y"])
    }

    @Test("fields of interim responses and trailers are ignored")
    func others() {
        let (head, _) = self.head(
            "HTTP/1.1 103 Early Hints\r\n",
            "Link: x\r\n",
            "\r\n",
            "HTTP/1.1 200 OK\r\n",
            "A: 1\r\n",
            "\r\n",
            "Trailer: t\r\n"
        )
        #expect(head.headers.fields.map(\.name) == ["A"])
    }

    @Test("a line of only whitespace is an empty folded line, and does not end the header")
    func emptyFold() {
        let (head, _) = self.head("HTTP/1.1 302 Found\r\n", "A: b\r\n", " \r\n", "Location: /next\r\n")
        #expect(head.headers["Location"] == "/next")
        #expect(!head.isComplete)
    }

    @Test("a trailer that looks like a status line does not start another response")
    func trailer() {
        let (head, _) = self.head("HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n", "HTTP/1: y\r\n")
        #expect(head.isComplete)
        #expect(head.headers["A"] == "1")
    }

    @Test("more fields or bytes than the limits are refused")
    func bounds() {
        var many = ResponseHead()
        let within = (0..<AdHTTPResponse.maxHeaderFields).allSatisfy { many.append(Array("F\($0): x\r\n".utf8)) }
        #expect(within)
        let isBeyond = !many.append(Array("one: more\r\n".utf8))
        #expect(isBeyond)
        var long = ResponseHead()
        let isLong = !long.append([UInt8](repeating: 0x61, count: AdHTTPResponse.maxHeaderBytes + 1))
        #expect(isLong)
    }
}
