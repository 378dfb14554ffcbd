/// Statements (ECMA-262 §14).
extension ScriptRun {
    /// Runs statements in a scope, their functions declared first (§14.2.2).
    mutating func run(_ statements: [Int], in scope: Int) throws(Stop) -> Flow {
        for id in statements {
            guard case .declareFunction(let name, let index) = self.program.nodes[id] else { continue }
            self.scopes[scope].values[name] = self.make(.function(index, scope: scope, this: nil))
        }
        for id in statements {
            let flow = try self.execute(id, in: scope)
            if case .normal = flow { continue }
            return flow
        }
        return .normal
    }

    mutating func newScope(in parent: Int) -> Int {
        self.scopes.append(Scope(parent: parent, doubt: self.doubt))
        return self.scopes.count - 1
    }

    mutating func execute(_ id: Int, in scope: Int) throws(Stop) -> Flow {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[id] {
        case .empty, .declareFunction: return .normal
        case .expression(let value):
            _ = try self.evaluate(value, in: scope)
            return .normal
        case .declare(let isVariable, let all):
            for (target, value) in all {
                // A `var` without a value leaves what is there.
                guard value != nil || !isVariable else { continue }
                let value = try value.map { id throws(Stop) in try self.evaluate(id, in: scope) } ?? .undefined
                try self.assign(value, to: target, in: scope, declares: !isVariable)
            }
            return .normal
        case .block(let statements): return try self.run(statements, in: self.newScope(in: scope))
        case .condition(let test, let then, let other): return try self.branch(test, then, other, in: scope)
        case .loop(let start, let test, let step, let body, let testsLast):
            let inner = self.newScope(in: scope)
            if let start { _ = try self.execute(start, in: inner) }
            return try self.loop(test, step, body, testsLast, in: inner)
        case .each(let target, let values, let isOf, let body):
            return try self.each(target, self.evaluate(values, in: scope), isOf, body, in: scope)
        case .leave(let leave, let value):
            let value = try value.map { id throws(Stop) in try self.evaluate(id, in: scope) } ?? .undefined
            switch leave {
            case .returning: return .returning(value)
            case .throwing: throw .thrown(value)
            case .breaking: return .breaking
            case .continuing: return .continuing
            }
        case .attempt(let body, let parameter, let handler, let last):
            return try self.attempt(body, parameter, handler, last, in: scope)
        case .select(let subject, let cases): return try self.select(subject, cases, in: scope)
        default: throw .tooLong
        }
    }

    // MARK: Branches

    private mutating func branch(_ test: Int, _ then: Int, _ other: Int?, in scope: Int) throws(Stop) -> Flow {
        let value = try self.evaluate(test, in: scope)
        if let truth = value.truth {
            if truth { return try self.execute(then, in: scope) }
            return try other.map { id throws(Stop) in try self.execute(id, in: scope) } ?? .normal
        }
        let first = try self.doubted { run throws(Stop) in try run.execute(then, in: scope) }
        let second =
            try other.map { id throws(Stop) in
                try self.doubted { run throws(Stop) in try run.execute(id, in: scope) }
            } ?? .normal
        // Where one side leaves, the rest runs only under a condition; the function's end takes the doubt back.
        switch (first, second) {
        case (.normal, .normal): return .normal
        case (.normal, _), (_, .normal):
            self.doubt += 1
            return .normal
        default: return first
        }
    }

    /// Runs something that may not run; what it throws is dropped with it.
    mutating func doubted(_ body: (inout ScriptRun) throws(Stop) -> Flow) throws(Stop) -> Flow {
        self.doubt += 1
        let doubt = self.doubt
        defer { self.doubt = doubt - 1 }
        do throws(Stop) {
            return try body(&self)
        } catch {
            guard case .thrown = error else { throw error }
            return .normal
        }
    }

    private mutating func select(
        _ subject: Int,
        _ cases: [(test: Int?, body: [Int])],
        in scope: Int
    ) throws(Stop) -> Flow {
        let value = try self.evaluate(subject, in: scope)
        var first = cases.firstIndex { $0.test == nil }
        var isKnown = !value.isUnknown
        for (index, item) in cases.enumerated() where isKnown {
            guard let test = item.test else { continue }
            let candidate = try self.evaluate(test, in: scope)
            guard let isEqual = self.areEqual(value, candidate, isStrict: true) else {
                isKnown = false
                break
            }
            if isEqual {
                first = index
                break
            }
        }
        let inner = self.newScope(in: scope)
        guard isKnown else {
            for item in cases {
                _ = try self.doubted { run throws(Stop) in try run.run(item.body, in: inner) }
            }
            return .normal
        }
        guard let first else { return .normal }
        for item in cases[first...] {
            switch try self.run(item.body, in: inner) {
            case .normal: continue
            case .breaking: return .normal
            case let flow: return flow
            }
        }
        return .normal
    }

    private mutating func attempt(
        _ body: Int,
        _ parameter: Int?,
        _ handler: Int?,
        _ last: Int?,
        in scope: Int
    ) throws(Stop) -> Flow {
        var flow = Flow.normal
        var pending: Stop?
        do throws(Stop) {
            flow = try self.execute(body, in: scope)
        } catch {
            guard case .thrown(let value) = error, let handler else {
                pending = error
                return try self.finish(last, flow, pending, in: scope)
            }
            let inner = self.newScope(in: scope)
            if let parameter { try self.assign(value, to: parameter, in: inner, declares: true) }
            do throws(Stop) {
                flow = try self.execute(handler, in: inner)
            } catch {
                pending = error
            }
        }
        return try self.finish(last, flow, pending, in: scope)
    }

    private mutating func finish(_ last: Int?, _ flow: Flow, _ pending: Stop?, in scope: Int) throws(Stop) -> Flow {
        if let last {
            let end = try self.execute(last, in: scope)
            if case .normal = end {} else { return end }
        }
        if let pending { throw pending }
        return flow
    }

    // MARK: Loops

    private mutating func loop(
        _ test: Int?,
        _ step: Int?,
        _ body: Int,
        _ testsLast: Bool,
        in scope: Int
    ) throws(Stop) -> Flow {
        var isFirst = true
        while true {
            try self.step()
            if let test, !(testsLast && isFirst) {
                guard let truth = try self.evaluate(test, in: scope).truth else {
                    return try self.doubted { run throws(Stop) in try run.execute(body, in: scope) }.pastLoop
                }
                if !truth { return .normal }
            }
            isFirst = false
            switch try self.execute(body, in: scope) {
            case .normal, .continuing: break
            case .breaking: return .normal
            case .returning(let value): return .returning(value)
            }
            if let step { _ = try self.evaluate(step, in: scope) }
        }
    }

    private mutating func each(
        _ target: Int,
        _ values: ScriptValue,
        _ isOf: Bool,
        _ body: Int,
        in scope: Int
    ) throws(Stop) -> Flow {
        guard let all = self.elements(of: values, isOf: isOf) else {
            return try self.doubted { run throws(Stop) in
                let inner = run.newScope(in: scope)
                try run.assignLoop(.unknown("a list that can't be known here"), target, in: inner)
                return try run.execute(body, in: inner)
            }.pastLoop
        }
        for value in all {
            try self.step()
            let inner = self.newScope(in: scope)
            try self.assignLoop(value, target, in: inner)
            switch try self.execute(body, in: inner) {
            case .normal, .continuing: break
            case .breaking: return .normal
            case .returning(let value): return .returning(value)
            }
        }
        return .normal
    }

    private mutating func assignLoop(_ value: ScriptValue, _ target: Int, in scope: Int) throws(Stop) {
        guard case .declare(let isVariable, let all) = self.program.nodes[target], let first = all.first else {
            return try self.assign(value, to: target, in: scope, declares: false)
        }
        try self.assign(value, to: first.target, in: scope, declares: !isVariable)
    }

    /// What a loop goes through; nil where that can't be known.
    private func elements(of value: ScriptValue, isOf: Bool) -> [ScriptValue]? {
        switch value {
        case .object(let id):
            let object = self.objects[id]
            switch object.kind {
            case .array: return isOf ? object.items : object.items.indices.map { .text(String($0)) }
            case .plain: return isOf ? nil : object.names.map { .text($0) }
            default: return isOf ? nil : []
            }
        case .text(let text): return isOf ? text.unicodeScalars.map { .text(String($0)) } : nil
        case .unknown: return nil
        default: return []
        }
    }
}

extension ScriptRun.Flow {
    /// What is left of it behind the loop in which it was met.
    fileprivate var pastLoop: ScriptRun.Flow {
        if case .returning = self { self } else { .normal }
    }
}
