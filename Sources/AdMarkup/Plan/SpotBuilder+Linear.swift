import AdCore

/// The spot of a video.
extension SpotBuilder {
    /// The first linear creative that can be played; nil if there is no linear creative.
    mutating func linear() throws(VASTError) -> BuiltSpot? {
        let candidates = self.ad.inline.creatives.filter { $0.linear != nil }
        guard !candidates.isEmpty else { return nil }
        var first: VASTError?
        for creative in candidates {
            guard let linear = creative.linear else { continue }
            do throws(VASTError) {
                return try self.spot(of: linear, in: creative)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? VASTError(400, "it has no linear creative that can be played")
    }

    private mutating func spot(of linear: VASTLinear, in creative: VASTCreative) throws(VASTError) -> BuiltSpot {
        try self.check(linear, line: creative.line)
        self.add(universalIDs: creative)
        let choice = MediaChoice(of: linear, by: self.policy, values: self.now)
        let program = self.program(linear)
        self.report(choice, in: linear, isProgram: program != nil)
        let interactive = program ?? self.interactive(linear, line: creative.line)
        let content: VideoSpot.Content
        if program != nil {
            content = .overlay(SpotBuilder.programPart)
        } else if let first = choice.files.first {
            content = .media(choice.files)
            self.values[.assetURI] = .text(first.url.text)
        } else if let interactive {
            // Without a file that can be played, the interactive part is the ad.
            content = .overlay(VideoPart(.page(interactive.url)))
        } else {
            throw choice.failure ?? VASTError(401, "the video has no <MediaFile>", line: creative.line)
        }
        try self.addCompanions()
        self.addIcons(linear)
        self.addTrackers(linear)
        self.addAdTrackers()
        let endCard = self.endCard
        let verifications = self.verifications()
        let rules = SpotRules(
            .linear,
            duration: linear.duration,
            // A rewarded video must be watched to its end, so its skipoffset (VAST 4.3 §3.8) is ignored.
            skipOffset: self.isRewarded ? nil : linear.skipOffset,
            hasEndCard: endCard != nil,
            progress: self.progress,
            parts: self.partRules,
            verifications: verifications.count,
            clickThrough: self.merge.clickThrough(linear).flatMap { self.clickThroughURL($0) },
            interactive: interactive.map { part in
                part.api == .vpaid
                    ? .alone(vastCode: 901) : choice.files.isEmpty ? .alone(vastCode: 902) : .besideVideo
            }
        )
        let spot = VideoSpot(
            content,
            rules: rules,
            title: self.ad.inline.inline?.title,
            parts: self.parts,
            endCard: endCard,
            captions: self.captions(of: linear, line: creative.line),
            verifications: verifications,
            interactive: interactive
        )
        return self.built(spot)
    }

    /// Checks a video by the policy.
    private func check(_ linear: VASTLinear, line: Int) throws(VASTError) {
        // VAST 4.3 §3.9.2.
        if self.policy.requiresMezzanine {
            guard let mezzanine = linear.mezzanines.first else {
                throw VASTError(406, "it has no <Mezzanine>, which the policy requires", line: line)
            }
            guard mezzanine.type != nil, mezzanine.width != nil, mezzanine.height != nil else {
                throw VASTError(411, "its <Mezzanine> lacks type, width or height", line: line)
            }
        }
        // The policy is the player's expectation of a duration (202, VAST 4.3 §2.3.6.3).
        if let longest = self.policy.maximumDuration, let duration = linear.duration, duration > longest {
            let text = "its duration is \(duration.inSeconds) s; \(longest.inSeconds) s are allowed"
            throw VASTError(202, text, line: line)
        }
    }

    /// The first VPAID program, if the policy allows it.
    private func program(_ linear: VASTLinear) -> InteractiveCreative? {
        guard self.policy.runsVPAID else { return nil }
        return linear.mediaFiles.lazy.filter(\.isVPAID).compactMap { file -> InteractiveCreative? in
            guard !(file.type ?? "").asciiLowercased.contains("flash"), let url = try? self.now.finished(file.url)
            else {
                return nil
            }
            return InteractiveCreative(.vpaid, url, parameters: linear.parameters, changesDuration: true)
        }.first
    }

    /// What is shown of an ad that a program plays: its own frame.
    static let programPart = VideoPart(.html(HTMLCreative(markup: "", document: "")))

    /// The interactive part: the ad's own, or else the nearest wrapper's (VAST 4.3 §3.9.3).
    private mutating func interactive(_ linear: VASTLinear, line: Int) -> InteractiveCreative? {
        let outer = self.ad.wrappers.reversed().flatMap(\.creatives).compactMap(\.linear)
        let all = ([linear] + outer).flatMap { layer in layer.interactiveFiles.map { ($0, layer.parameters) } }
        guard let first = all.first else { return nil }
        let known = all.first { $0.0.apiFramework?.trimmed.asciiLowercased == "simid" }
        guard let (file, parameters) = known else {
            // The video is played without it (VAST 4.3 §2.4.3).
            let name = first.0.apiFramework ?? "no framework"
            let text = "an interactive file (\(name.excerpt(20))) is not executed; the video is played without it"
            self.recordIssue("interactive.409", line, text)
            self.errorCodes.append(409)
            return nil
        }
        do throws(HTTPURL.ParseError) {
            return InteractiveCreative(
                .simid,
                try self.now.finished(file.url),
                parameters: parameters,
                changesDuration: file.hasVariableDuration == true
            )
        } catch {
            let text = "the interactive file is left out: its URL is invalid: \(error.reason)"
            self.recordIssue("interactive.409", line, text)
            self.errorCodes.append(409)
            return nil
        }
    }

    private mutating func addTrackers(_ linear: VASTLinear) {
        for element in self.merge.elements(of: linear, \.tracking) {
            self.addTracker(element.value, nil, element.depth)
        }
        for element in self.merge.elements(of: linear, \.clickTracking) {
            self.addTracker("clickTracking", nil, element.value, element.depth)
        }
        for element in self.merge.elements(of: linear, \.customClickTracking) {
            self.addTracker("customClick", nil, element.value, element.depth)
        }
    }

    /// Records the refused files and the ignored attributes, up to a limit.
    private mutating func report(_ choice: MediaChoice, in linear: VASTLinear, isProgram: Bool) {
        let refused = choice.refused.filter { !(isProgram && $0.file.isVPAID) }
        for refused in refused.prefix(MediaChoice.maxFiles) {
            let text = "a file is left out: \(refused.error.message)"
            self.recordIssue("media.\(refused.error.code)", refused.file.line, text)
        }
        for entry in choice.repairs.entries {
            self.recordIssue("media.\(entry.repair.attribute.rawValue)", entry.line, entry.message)
        }
        let count = linear.mediaFiles.count
        if count > MediaChoice.maxFiles, let first = linear.mediaFiles.first {
            let most = MediaChoice.maxFiles
            let text =
                "only the best \(most) of \(count) media files are tried, and \(most) refusals reported; list fewer"
            self.recordIssue("media.many", first.line, text)
        }
    }

    private mutating func captions(of linear: VASTLinear, line: Int) -> [VideoSpot.Caption] {
        var captions: [VideoSpot.Caption] = []
        for caption in linear.captions {
            do throws(HTTPURL.ParseError) {
                let url = try self.now.finished(caption.url)
                captions.append(VideoSpot.Caption(url, type: caption.type, language: caption.language))
            } catch {
                self.recordIssue(
                    "caption.address",
                    line,
                    "a caption file is left out: its URL is invalid: \(error.reason)"
                )
            }
        }
        return captions
    }
}
