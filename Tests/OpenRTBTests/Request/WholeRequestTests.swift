import AdCore
import Testing

@testable import OpenRTB

@Suite("Whole bid requests")
struct WholeRequestTests {
    @Test("a request that says everything is the document that was written by hand")
    func whole() throws {
        let written = try RequestSamples.whole().written()
        #expect(written.issues == [])
        #expect(written.json.text(.sorted) == (try AdJSON(parsing: WholeRequestTests.document)).text(.sorted))
    }

    @Test("no object of a request has a member twice")
    func unique() throws {
        func check(_ json: AdJSON) {
            switch json {
            case .object(let members):
                #expect(Set(members.map(\.name)).count == members.count, "\(members.map(\.name))")
                members.forEach { check($0.value) }
            case .array(let elements): elements.forEach(check)
            default: break
            }
        }
        check(try RequestSamples.whole().json)
    }

    @Test("a request of which nothing is known says that a banner is accepted")
    func bare() {
        #expect(RequestSamples.bare.json.text() == #"{"id":"r1","imp":[{"id":"1","banner":{}}]}"#)
    }

    @Test("a video always says what can be played")
    func video() {
        var request = RequestSamples.bare
        request.impression.media = .video(.init())
        #expect(request.json.text() == #"{"id":"r1","imp":[{"id":"1","video":{"mimes":["video/mp4"]}}]}"#)
    }

    /// Every field of a request (OpenRTB 2.6 chapter 3), with those of 2.5 in `ext`.
    private static let document = #"""
        {
          "id": "r1",
          "imp": [{
            "id": "1",
            "tagid": "unit",
            "banner": {
              "format": [{"w": 320, "h": 50}, {"w": 300, "h": 250}],
              "btype": [1, 4],
              "pos": 5,
              "mimes": ["text/html"],
              "expdir": [3, 5],
              "api": [5, 6, 7]
            },
            "video": {
              "mimes": ["video/mp4", "video/webm"],
              "minduration": 5,
              "maxduration": 30,
              "protocols": [3, 6, 15],
              "w": 640,
              "h": 360,
              "startdelay": 0,
              "placement": 5,
              "plcmt": 3,
              "linearity": 1,
              "skip": 1,
              "skipmin": 15,
              "skipafter": 5,
              "maxbitrate": 1200,
              "playbackmethod": [2],
              "delivery": [2],
              "pos": 7,
              "api": [9]
            },
            "instl": 1,
            "rwdd": 1,
            "bidfloor": 0.1,
            "bidfloorcur": "EUR",
            "secure": 1,
            "displaymanager": "yabbi",
            "displaymanagerver": "1.0",
            "exp": 1800,
            "ext": {
              "skadn": {"version": "2.0"},
              "prebid": {
                "storedrequest": {"id": "stored-2"},
                "bidder": {"one": {"placement": 12345}, "two": {}}
              }
            }
          }],
          "app": {
            "id": "app-1",
            "name": "Garden",
            "bundle": "com.example.garden",
            "domain": "garden.example",
            "storeurl": "https://store.example/app/1",
            "ver": "3.2",
            "cat": ["150"],
            "cattax": 7,
            "publisher": {"id": "pub", "name": "Example", "domain": "example.com"}
          },
          "device": {
            "ua": "Agent/1",
            "devicetype": 4,
            "make": "Apple",
            "model": "iPhone",
            "os": "iOS",
            "osv": "18.1",
            "hwv": "17,1",
            "w": 1179,
            "h": 2556,
            "ppi": 460,
            "pxratio": 2.75,
            "language": "pt",
            "carrier": "Example Mobile",
            "mccmnc": "310-005",
            "connectiontype": 7,
            "dnt": 0,
            "lmt": 0,
            "ifa": "IFA",
            "geo": {
              "lat": 42.5,
              "lon": -23.25,
              "accuracy": 100,
              "type": 1,
              "country": "BGR",
              "region": "22",
              "city": "BG SOF",
              "zip": "1000",
              "utcoffset": 120
            }
          },
          "user": {"id": "user-1", "consent": "TCF", "ext": {"consent": "TCF"}},
          "regs": {
            "coppa": 0,
            "gdpr": 1,
            "us_privacy": "1YNN",
            "gpp": "GPP",
            "gpp_sid": [2, 6],
            "ext": {"gdpr": 1, "us_privacy": "1YNN", "gpp": "GPP", "gpp_sid": [2, 6]}
          },
          "source": {
            "fd": 1,
            "tid": "t1",
            "schain": {
              "complete": 1,
              "nodes": [
                {"asi": "exchange.example", "sid": "7", "rid": "r1", "hp": 1},
                {"asi": "reseller.example", "sid": "8", "hp": 1}
              ],
              "ver": "1.0"
            },
            "ext": {
              "schain": {
                "complete": 1,
                "nodes": [
                  {"asi": "exchange.example", "sid": "7", "rid": "r1", "hp": 1},
                  {"asi": "reseller.example", "sid": "8", "hp": 1}
                ],
                "ver": "1.0"
              }
            }
          },
          "test": 1,
          "at": 1,
          "tmax": 750,
          "allimps": 1,
          "cur": ["EUR", "USD"],
          "bcat": ["IAB9", "IAB25"],
          "badv": ["casino.example"],
          "bapp": ["com.example.rival"],
          "ext": {
            "own": [1, "two"],
            "prebid": {
              "debug": true,
              "storedrequest": {"id": "stored-1"},
              "targeting": {
                "includebidderkeys": false,
                "pricegranularity": {
                  "ranges": [{"max": 5, "increment": 0.05}, {"max": 20, "increment": 0.5}]
                },
                "includeformat": true,
                "preferdeals": true
              },
              "cache": {"bids": {}, "vastxml": {"ttlseconds": 300, "returnCreative": false}}
            }
          }
        }
        """#
}
