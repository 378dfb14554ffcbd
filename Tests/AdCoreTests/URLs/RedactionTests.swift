import AdCore
import Testing

@Suite("Redaction of URLs")
struct RedactionTests {
    @Test(
        "secret fields are redacted by name, however it is spelled",
        arguments: [
            "token", "access_token", "authToken", "user-token", "client_secret", "pwd", "passwd", "jwt", "api-key",
            "apiKey", "hmac", "bearer", "X-Amz-Signature", "X-Goog-Signature", "sig", "ifa", "lat", "to%6Ben",
            "sessionid", "PHPSESSID", "hash", "label_key", "brand_key", "user_ext_id", "gps_adid", "android_id", "oaid",
            "idfv", "rdid", "ll", "geo_lat", "device.ifa", "device%5Bifa%5D", "advertising_id", "loc", "client_id",
            "msisdn", "zip", "user", "ifa_md5", "tok", "devid", "latlng", "userLat", "clientIP",
        ]
    )
    func names(_ name: String) {
        #expect(
            Redaction.address("https://a.example/x?a=1&\(name)=SECRET&b=2") == "https://a.example/x?a=1&\(name)=***&b=2"
        )
        #expect(Redaction.address("https://a.example/x#\(name)=SECRET") == "https://a.example/x#\(name)=***")
    }

    @Test(
        "fields with similar names are not redacted",
        arguments: [
            "id", "tip", "zipfile", "latest", "platform", "slot", "ord", "page", "along", "monkey", "design", "recipe",
            "isLatest", "keyword", "locale", "userAgent", "all", "longform", "is_full", "flat_fee", "emailed",
            "engagement_uid",
        ]
    )
    func harmless(_ name: String) {
        let text = "https://a.example/x?\(name)=1#\(name)=2"
        #expect(Redaction.address(text) == text)
    }

    @Test("path parameters are fields, too")
    func pathFields() {
        #expect(
            Redaction.address("https://a.example/x;jsessionid=SECRET?a=1") == "https://a.example/x;jsessionid=***?a=1"
        )
        #expect(Redaction.address("https://a.example/x;v=1;sid=SECRET#a") == "https://a.example/x;v=1;sid=***#a")
    }

    @Test(
        "a secret is redacted completely",
        arguments: [
            ("https://a.example/x?sig=abc;def&b=2", "https://a.example/x?sig=***&b=2"),
            ("https://a.example/x?u=http%3A%2F%2Fb.example%2F%3Ftoken%3DX&b=2", "https://a.example/x?u=***&b=2"),
            (
                "https://a.example/x?u=http%3A%2F%2Fb.example%2F%3Fq%3DX",
                "https://a.example/x?u=http%3A%2F%2Fb.example%2F%3Fq%3DX"
            ),
            ("//user:pw@host/x", "***@host/x"), ("user:pw@host:80/v", "***@host:80/v"), ("http:user:pw@h/", "***@h/"),
            ("mailto:bob@a.example?subject=x", "mailto:***@a.example?subject=x"),
            ("intent://u@h/x#Intent;end", "intent://***@h/x#Intent;end"), ("http://user:p/w@h/x", "***@h/x"),
            ("http://t.example/a@b", "http://t.example/a@b"),
        ]
    )
    func leftovers(text: String, shown: String) { #expect(Redaction.address(text) == shown) }

    @Test("the depth of nested URLs is limited, and deeper values are redacted")
    func nested() {
        var value = "x"
        for _ in 0..<40 { value = "%3Fb=" + value.replacing("%", with: "%25") }
        #expect(Redaction.address("https://a.example/?a=\(value)&n=1") == "https://a.example/?a=***&n=1")
        let deep = String(repeating: "=", count: 9_000) + "%" + String(repeating: "25", count: 9_000) + "41"
        #expect(Redaction.address("https://a.example/?a\(deep)").utf8.count < 100)
    }

    @Test(
        "a macro that is the whole value of a secret field is shown",
        arguments: ["[IFA]", "${USER_ID}", "%%USER_ID%%", "{{USER_ID}}"]
    )
    func macro(_ text: String) {
        let url = "https://a.example/?ifa=\(text)&n=1"
        #expect(Redaction.address(url) == url)
    }

    @Test(
        "a value that is more than a macro, or no macro's name, is redacted",
        arguments: [
            "[]", "[A", "A]", "%%", "%%%", "%%%%", "{{}}", "${}", "[IFA]SECRET", "SECRET[IFA]", "[IFA][IFA]",
            "[IFA];k=SECRET",
            "[s3cret]", "[38400000-8CF0-11BD]", "[ABC123]", "[IFA:SECRET]", "{{SECRET}", "%5BIFA%5D",
            "[ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ]",
        ]
    )
    func noMacro(_ text: String) {
        #expect(Redaction.address("https://a.example/?ifa=\(text)&n=1") == "https://a.example/?ifa=***&n=1")
    }

    @Test("user names and passwords are redacted, and everything else is unchanged")
    func user() {
        #expect(Redaction.address("https://bob:SECRET@a.example/x@y") == "https://***@a.example/x@y")
        let plain = "https://a.example/p;v=1?cb=[CACHEBUSTING]&url=http%3A%2F%2Fb.example&x"
        #expect(Redaction.address(plain) == plain)
        #expect(Redaction.address("banner.html") == "banner.html")
        #expect(Redaction.address("") == "")
    }
}
