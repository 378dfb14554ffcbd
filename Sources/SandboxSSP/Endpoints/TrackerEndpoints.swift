import AdCore
import LoopbackServer

/// The endpoint of all beacons, and a redirect loop.
enum TrackerEndpoints {
    static let all = [
        Endpoint(path: .prefix("/t/"), methods: [], about: "a tracker; every call is recorded", billed: .tracker) {
            request,
            _ in
            var response = ServerResponse(status: 200)
            if request.method == "GET" || request.method == "HEAD" {
                response.headers["Content-Type"] = "image/gif"
                response.body = .bytes(TrackerEndpoints.pixel)
            }
            response.headers["Cache-Control"] = "no-store"
            response.headers["Access-Control-Allow-Origin"] = "*"
            return response
        },
        Endpoint(path: .exact("/loop"), methods: [], about: "a redirect to itself") { request, state in
            .redirect(to: state.base + "/loop" + (request.query.isEmpty ? "" : "?" + request.query))
        },
    ]

    /// A transparent GIF of 1 × 1 pixel: two colors, the first of them transparent.
    static let pixel: [UInt8] =
        Array("GIF89a".utf8)
        + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 0xFF, 0xFF, 0xFF]
        + [0x21, 0xF9, 4, 1, 0, 0, 0, 0]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + [2, 2, 0x44, 1, 0]
        + [0x3B]
}
