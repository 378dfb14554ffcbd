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

    @Test("of several hosts the one in the URL counts, in any order of the columns")
    func hosts() {
        let rows = [("x-host-header", "t.example"), ("cs(Host)", "d111.cloudfront.net")]
        for columns in [rows, rows.reversed()] {
            let names = columns.map(\.0).joined(separator: " ")
            let request = Self.request(
                "#Fields: date time \(names) cs-uri-stem sc-status",
                "2026-11-28\t14:00:00\t\(columns.map(\.1).joined(separator: "\t"))\t/view\t200"
            )
            #expect(request?.host == "t.example", "\(names)")
        }
        // Each name counts before the ones that follow it; a log shipper calls its own computer a host.
        let names = ["http_host", "host", "cs(Host)", "server_name"]
        for first in names.indices {
            let members = names[first...].map { "\"\($0)\": \"\($0.count).example\"" }
            for order in [members, members.reversed()] {
                let json = "{\"uri\": \"/view\", \"status\": 200, \(order.joined(separator: ", "))}"
                #expect(Self.request(json)?.host == "\(names[first].count).example", "\(json)")
            }
        }
    }

    @Test("of several targets the one that the client sent counts, in any order of the columns")
    func targets() {
        let rows = [("request_uri", "/view?ad=1"), ("uri", "/index.php?internal=1")]
        for columns in [rows, rows.reversed()] {
            let request = Self.request(
                "\(columns.map(\.0).joined(separator: ",")),status",
                "\(columns.map(\.1).joined(separator: ",")),200"
            )
            #expect(request?.target == "/view?ad=1", "\(columns)")
        }
        #expect(Self.request(#"{"path": "/view?ad=1", "url": "/view", "status": 200}"#)?.target == "/view?ad=1")
        #expect(Self.request(#"{"path": "/view", "url": "/view?ad=1", "status": 200}"#)?.target == "/view?ad=1")
    }

    @Test("of several times that of the request counts, in any order, and what is no time does not")
    func severalTimes() {
        let members = [
            #""msec": "1795874400.000""#, #""time_local": "28/Nov/2026:14:00:07 +0000""#,
            #""@timestamp": "2026-11-28T15:00:00Z""#, #""time": "-""#, #""ts": "soon""#,
        ]
        for order in [members, members.reversed()] {
            let json = "{\"uri\": \"/view\", \"status\": 200, \(order.joined(separator: ", "))}"
            #expect(Self.request(json)?.time == Self.time, "\(json)")
        }
    }

    @Test("in JSON lines a date and a time of day are one time, and a whole time needs no date")
    func dates() {
        for members in [
            #""date": "2026-11-28", "time": "14:00:00""#, #""time": "14:00:00", "date": "2026-11-28""#,
            #""date": "2026-11-28", "time": "2026-11-28T14:00:00Z""#,
            #""date": "28/Nov/2026:14:00:00 +0000", "time": 0.003"#,
        ] {
            #expect(Self.request("{\"uri\": \"/view\", \"status\": 200, \(members)}")?.time == Self.time, "\(members)")
        }
    }

    @Test("a status that is a word does not hide the one that is a number")
    func statuses() {
        #expect(Self.request(#"{"status": "ok", "status_code": 204, "uri": "/view"}"#)?.status == 204)
        #expect(Self.request(#"{"status_code": 204, "status": "ok", "uri": "/view"}"#)?.status == 204)
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
