/// Ad responses of YABBI's server.
extension LintCase {
    private static let adm =
        "<a href='https://shop.example.com/'><img src='https://i.example.com/tea.png' alt='Tea'></a>"

    static let responses: [LintCase] = [
        .answer("answer-no-json", "\"type\": 1,", "\"type\": one,"),
        .whole("answer-no-object", "[1, 2]", not: LintSamples.answer),
        .whole("answer-foreign", "{\"error\": \"no such placement\"}", not: "{}"),
        .answer("answer-type-missing", "\"type\": 1,", ""),
        .answer("answer-type-unknown", "\"type\": 1", "\"type\": 7"),
        .answer("answer-number-text", "\"width\": 320", "\"width\": \"320\""),
        .answer("answer-field-wrong", "\"width\": 320", "\"width\": true"),
        .answer("answer-field-unknown", "\"type\": 1,", "\"type\": 1, \"colour\": \"red\","),
        .answer("answer-field-misspelt", "\"closeTimeout\"", "\"closetimeout\""),
        .answer("answer-field-twice", "\"type\": 1,", "\"type\": 2, \"type\": 1,"),
        .whole("answer-adm-missing", "{\"type\": 1}", not: "{\"type\": 1, \"adm\": \"\"}"),
        .answer("answer-adm-escaped", adm, "&lt;a href='https://shop.example.com/'&gt;Tea&lt;/a&gt;"),
        .answer("answer-adm-encoded", adm, "PGEgaHJlZj0naHR0cHM6Ly9zaG9wLmV4YW1wbGUuY29tLyc+VGVhPC9hPg=="),
        .answer("answer-adm-mismatch", "\"type\": 1", "\"type\": 2"),
        .answer("answer-timeout-seconds", "5000", "5", not: "0"),
        .answer("answer-timeout-negative", "5000", "-1"),
        .answer("answer-timeout-long", "5000", "90000", not: "30000"),
        .answer("answer-size-missing", "\"width\": 320,", ""),
        .answer("answer-size-half", "\"height\": 50", "\"height\": 0"),
        .answer("answer-size-wrong", "\"height\": 50", "\"height\": -50"),
        .answer(
            "answer-size-mismatch",
            adm,
            "<meta name='ad.size' content='width=300,height=250'>" + adm,
            not: "<meta name='ad.size' content='width=320,height=50'>" + adm
        ),
        .answer("answer-view-missing", "\"view\": \"https://t.example.com/view\",", ""),
        .answer("answer-click-missing", "https://t.example.com/click", ""),
        .answer("answer-tracker-broken", "https://t.example.com/view", "t.example.com/view"),
        .answer("answer-tracker-insecure", "https://t.example.com/view", "http://t.example.com/view"),
        .answer("answer-trackers-same", "https://t.example.com/click", "https://t.example.com/view"),
        .answer(
            "answer-billing-twice",
            adm,
            adm + "<img src='https://t.example.com/view' width='1' height='1' alt=''>",
            not: adm + "<img src='https://t.example.com/other' width='1' height='1' alt=''>"
        ),
    ]
}
