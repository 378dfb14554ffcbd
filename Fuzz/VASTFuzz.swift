import AdCore
import AdLint
import AdMarkup

/// The fuzzer's entry point: a VAST document and the responses to its wrappers.
///
/// Documents are separated by lines of `%%%%`; each request of a wrapper gets the next one. Any input must be
/// read within limits, and a plan must be playable.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let documents = divided(Array(UnsafeBufferPointer(start: start, count: count)))
    _ = try? VMAPDocument(parsing: documents[0])
    // Every fourth input is also linted, which takes longer than everything else.
    if count.isMultiple(of: 4) { _ = Lint.check(documents[0]) }
    guard let first = try? VASTDocument(parsing: documents[0]) else { return 0 }
    let resolution = resolve(first, documents.dropFirst())
    for isRewarded in [false, true] {
        let planning = VideoPlan.make(of: resolution, isRewarded: isRewarded)
        if case .success(let plan) = planning.result { check(plan) }
    }
    return 0
}

private func divided(_ bytes: [UInt8]) -> [[UInt8]] {
    var documents: [[UInt8]] = [[]]
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.elementsEqual("%%%%".utf8), documents.count < 40 {
            documents.append([])
        } else {
            documents[documents.count - 1] += line + [UInt8(ascii: "\n")]
        }
    }
    return documents
}

private func resolve(_ first: VASTDocument, _ others: ArraySlice<[UInt8]>) -> VASTResolution {
    var chain = VASTChain()
    var waiting = chain.start(first)
    var others = others
    var requests = 0
    while !waiting.isEmpty {
        // The last request first: responses arrive in any order.
        let request = waiting.removeLast()
        requests += 1
        precondition(requests <= VASTChainLimits.standard.requests, "more requests than the limit")
        let answer: Result<VASTDocument, VASTError>
        do throws(VASTError) {
            answer = .success(try VASTDocument(parsing: others.popFirst() ?? []))
        } catch {
            answer = .failure(error)
        }
        waiting += chain.handle(answer, for: request.id)
    }
    guard let result = chain.result else { preconditionFailure("no request is open, but there is no result") }
    precondition(result.hops.count == requests)
    precondition(result.hops.allSatisfy { $0.depth <= VASTChainLimits.standard.hops })
    return result
}

private func check(_ plan: VideoPlan) {
    precondition(plan.creative.fallbackCount < plan.creative.spots.count)
    for spot in plan.creative.spots {
        if case .media(let files) = spot.content { precondition(!files.isEmpty, "a video without a file") }
        precondition(spot.rules.parts.allSatisfy { spot.parts[$0.id] != nil }, "a part without content")
        precondition(spot.endCard.map { spot.parts[$0] != nil } ?? true, "an end card without content")
    }
    for beacon in plan.beacons {
        guard let number = beacon.spot else { continue }
        precondition(plan.creative.spots.indices.contains(number), "a tracker belongs to a spot that does not exist")
    }
}
