import AdCore
import Testing

@testable import PlayReconcile

@Suite("Formats of access logs")
struct AccessLogFormatTests {
    /// The request of the last line of a log, whose format is that of its first.
    private static func request(_ lines: String...) -> LoggedRequest? {
        guard let first = lines.first, let last = lines.last else { return nil }
        return AccessLogFormat(firstLine: Array(first.utf8))?.request(Array(last.utf8))
    }

    private static let time = WallTime(milliseconds: 1_795_874_400_000)

    @Test("lines of nginx and Apache are recognized, whatever comes after the status")
    func common() {
        let expected = LoggedRequest(time: Self.time, target: "/view?ad=1", host: nil, status: 204, key: nil)
        for line in [
            #"10.0.0.1 - - [28/Nov/2026:14:00:00 +0000] "GET /view?ad=1 HTTP/1.1" 204 0 "-" "Mozilla/5.0 \x22x\x22""#,
            #"10.0.0.1 - frank [28/Nov/2026:15:00:00 +0100] "GET /view?ad=1 HTTP/1.1" 204 0"#,
            #"::1 - - [28/Nov/2026:06:00:00 -0800] "GET /view?ad=1 HTTP/2.0" 204 12 "https://a.example/" "x" "t.example" 0.01"#,
        ] {
            #expect(Self.request(line) == expected, "\(line)")
        }
    }

    @Test("a format of nginx names host and key, too")
    func pattern() {
        let format = AccessLogFormat(
            pattern: #"$msec $http_host "$request" $status ${body_bytes_sent} "$http_idempotency_key""#
        )
        #expect(format.mayHaveKeys && format.hasHost && format.hasRequest)
        let line = #"1795874400.250 T.example:8080 "POST /view HTTP/1.1" 200 17 "ad-1/-/view/0/0""#
        let expected = LoggedRequest(
            time: Self.time + .milliseconds(250),
            target: "/view",
            host: "t.example",
            status: 200,
            key: "ad-1/-/view/0/0"
        )
        #expect(format.request(Array(line.utf8)) == expected)
        #expect(format.request(Array("something else".utf8)) == nil)
        #expect(!AccessLogFormat(pattern: "$remote_addr $status").hasRequest)
    }

    @Test("extended logs of a CDN, CSV with names and JSON lines are recognized")
    func others() {
        let expected = LoggedRequest(time: Self.time, target: "/view?ad=1", host: "t.example", status: 200, key: nil)
        #expect(
            Self.request(
                "#Fields: date time x-edge-location cs(Host) cs-uri-stem sc-status cs-uri-query",
                "2026-11-28\t14:00:00\tFRA2\tt.example\t/view\t200\tad=1"
            ) == expected
        )
        #expect(
            Self.request(
                "timestamp,host,url,status",
                #"2026-11-28T14:00:00Z,t.example,"https://t.example/view?ad=1",200"#
            ) == expected
        )
        #expect(
            Self.request(
                #"{"EdgeStartTimestamp": 1795874400000000000, "ClientRequestHost": "t.example", "ClientRequestURI": "/view?ad=1", "EdgeResponseStatus": 200}"#
            ) == expected
        )
    }

    @Test("a date and a time in columns are one time, and the request line is the URL")
    func ranks() {
        let expected = LoggedRequest(time: Self.time, target: "/view?ad=1", host: "t.example", status: 200, key: nil)
        #expect(
            Self.request("\u{FEFF}date,time,host,uri,status", "2026-11-28,14:00:00,t.example,/view?ad=1,200")
                == expected
        )
        let json = """
            {"time": "2026-11-28T14:00:00Z", "host": "t.example", "request": "GET /view?ad=1 HTTP/1.1", "uri": "/view", \
            "server_name": "_", "status": 200, "key": "cache/1"}
            """
        #expect(Self.request(json) == expected)
    }

    @Test("what is no access log is not recognized", arguments: ["", "hello", "a,b,c", "<html>", #"GET / HTTP/1.1"#])
    func unknown(_ line: String) {
        #expect(AccessLogFormat(firstLine: Array(line.utf8)) == nil)
    }

    @Test(
        "times are read in the common forms",
        arguments: [
            "28/Nov/2026:14:00:00 +0000", "28/Nov/2026:14:00:00", "2026-11-28T14:00:00Z", "2026-11-28 14:00:00",
            "2026-11-28T16:30:00+02:30", "1795874400", "1795874400000", "1795874400000000", "1795874400000000000",
        ]
    )
    func times(_ text: String) { #expect(LogTime.time(text) == Self.time) }

    @Test(
        "what is no time is none",
        arguments: [
            "", "-", "28/Nov/2026", "2026-13-28T14:00:00Z", "2026-11-28T25:00:00Z", "yesterday", "99/Xxx/2026:14:00:00",
        ]
    )
    func noTime(_ text: String) { #expect(LogTime.time(text) == nil) }
}
