import AdCore
import Testing

@testable import AdLint
@testable import AdMarkup

/// The IAB's list, and VMAP's name.
private let names = [
    "TIMESTAMP", "CACHEBUSTING", "CONTENTPLAYHEAD", "MEDIAPLAYHEAD", "ADPLAYHEAD", "ASSETURI", "BREAKPOSITION",
    "BREAKMAXDURATION", "BREAKMINDURATION", "BREAKMAXADS", "BREAKMINADLENGTH", "BREAKMAXADLENGTH",
    "BLOCKEDADCATEGORIES", "ADCATEGORIES", "ADCOUNT", "TRANSACTIONID", "PLACEMENTTYPE", "ADTYPE", "UNIVERSALADID",
    "ADSERVINGID", "PODSEQUENCE", "IFA", "IFATYPE", "LIMITADTRACKING", "REGULATIONS", "GDPRCONSENT", "GPPSTRING",
    "GPPSECTIONID", "DSAREQUIRED", "DSAPARAMS", "DSAPUBRENDER", "CLIENTUA", "SERVERUA", "DEVICEUA", "SERVERSIDE",
    "DEVICEIP", "LATLONG", "DOMAIN", "PAGEURL", "APPBUNDLE", "STOREID", "STOREURL", "VASTVERSIONS",
    "APIFRAMEWORKS", "EXTENSIONS", "VERIFICATIONVENDORS", "OMIDPARTNER", "MEDIAMIME", "PLAYERCAPABILITIES",
    "CLICKTYPE", "PLAYERSTATE", "INVENTORYSTATE", "PLAYBACKMETHODS", "PLAYERSIZE", "CONTENTID", "CONTENTURI",
    "CONTENTCAT", "CLICKPOS", "ERRORCODE", "REASON",
]

@Suite("Macro names")
struct MacroNameTests {
    private func called(_ text: String, _ values: MacroValues = MacroValues()) throws -> String {
        let address = "https://t.example/?x=" + text
        let url = try values.finished(#require(URLTemplate(address)))
        return String(url.text.dropFirst("https://t.example/?x=".count))
    }

    @Test("the list is complete")
    func list() {
        #expect(names.count == 60)
        #expect(Set(names) == Set(VASTMacro.allCases.map(\.rawValue)))
    }

    @Test("every name is known in brackets, case-sensitive, and unknown without a value", arguments: names)
    func known(name: String) throws {
        let macro = try #require(VASTMacro(named: name))
        #expect(try self.called("[\(name)]") == "-1")
        var values = MacroValues()
        values[macro] = .text("a b")
        #expect(try self.called("1[\(name)]2", values) == "1a%20b2")
        values[macro] = .withheld
        #expect(try self.called("[\(name)]", values) == "-2")
        values[macro] = .unknown
        #expect(try self.called("[\(name)]", values) == "-1")
        for other in [
            "[\(name.lowercased())]", "[\(name)", "\(name)]", "{\(name)}", "$[\(name)X]", "[ \(name)]", "[_\(name)]",
        ] {
            #expect(try self.called(other, values) == PercentEncoding.repaired(other.utf8), "\(other)")
        }
    }

    @Test(
        "a macro that is not in the list stays unchanged",
        arguments: [
            "[FOO]", "[]", "[[]]", "[RANDOM]", "[CACHEBUSTER]", "[ERRORCODE-]", "[cachebusting]", "[Timestamp]",
            "%5BERRORCODE%5D", "[TIMESTAMP", "TIMESTAMP]", "[TIME-STAMP]", "[IFA2]", "$(CACHEBUSTING)", "[IFATYPES]",
            "[ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZ]",
        ]
    )
    func unknown(text: String) throws {
        #expect(try self.called(text) == text)
    }

    @Test(
        "only TIMESTAMP and CACHEBUSTING are macros between percent signs",
        arguments: [
            ("%%TIMESTAMP%%", "T"), ("%%CACHEBUSTING%%", "C"), ("%%TIMESTAMP%%%%CACHEBUSTING%%", "TC"),
            ("%%ERRORCODE%%", "%25%25ERRORCODE%25%25"), ("%%IFA%%", "%25%25IFA%25%25"), ("%%", "%25%25"),
            ("%%%%", "%25%25%25%25"), ("%%TIMESTAMP%", "%25%25TIMESTAMP%25"), ("%TIMESTAMP%", "%25TIMESTAMP%25"),
            ("%%%TIMESTAMP%%", "%25T"), ("%%TIMESTAMP]", "%25%25TIMESTAMP]"), ("[TIMESTAMP%%", "[TIMESTAMP%25%25"),
        ]
    )
    func percentSigns(text: String, wanted: String) throws {
        var values = MacroValues()
        values[.timestamp] = .text("T")
        values[.cacheBusting] = .text("C")
        values[.errorCode] = .text("E")
        values[.ifa] = .text("I")
        #expect(try self.called(text, values) == wanted)
    }

    @Test("the error code has two names")
    func errorCode() throws {
        #expect(try self.called("[ERRORCODE],[ERROR_CODE],[ERROR__CODE]", .error(303)) == "303,303,[ERROR__CODE]")
        #expect(try self.called("[ERROR_CODE]") == "-1")
    }

    @Test("all names in a text are found, whether they are in the list or not")
    func found() {
        #expect(MacroScanner.names("a[IFA]b[FOO][[TIMESTAMP]][x][]") == ["IFA", "FOO", "TIMESTAMP"])
    }

    @Test("the linter and the player know the same names")
    func linter() {
        #expect(Set(LintMacros.names) == Set(VASTMacro.allCases.map(\.rawValue)))
    }
}
