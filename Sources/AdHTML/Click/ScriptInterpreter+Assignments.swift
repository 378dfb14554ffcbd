import AdCore
import AdMarkup

/// Assigning and deleting variables and members (ECMA-262 §13.5.1, §13.15).
extension ScriptInterpreter {
    mutating func assignment(
        _ symbol: String,
        _ target: Int,
        _ value: Int,
        in scope: Int
    ) throws(Stop) -> ScriptValue {
        if symbol == "=" {
            let new = try self.evaluate(value, in: scope)
            try self.assign(new, to: target, in: scope, declares: false)
            return new
        }
        let old = try self.evaluate(target, in: scope)
        let new: ScriptValue
        switch symbol {
        case "+=": new = try self.add(old, self.evaluate(value, in: scope))
        case "||=", "&&=", "??=": new = try self.logical(String(symbol.dropLast()), old, value, in: scope)
        default: new = try self.combine(String(symbol.dropLast()), old, self.evaluate(value, in: scope))
        }
        try self.assign(new, to: target, in: scope, declares: false)
        return new
    }

    /// Assigns to a variable, a member, or the targets of a destructuring pattern (§13.15.5).
    mutating func assign(_ value: ScriptValue, to target: Int, in scope: Int, declares: Bool) throws(Stop) {
        try self.enter()
        defer { self.leave() }
        switch self.program.nodes[target] {
        case .name(let name):
            if declares, scope != 0 || self.uncertainty == 0 {
                self.scopes[scope].values[name] = value
            } else {
                try self.set(name, to: value, in: scope)
            }
        case .member(let owner, let key, _):
            let object = try self.evaluate(owner, in: scope)
            if object.isMissing {
                throw .thrown(
                    .string("TypeError: \(self.path(owner) ?? "a value") is undefined, so its members can't be set")
                )
            }
            guard let name = try self.string(self.evaluate(key, in: scope)) else { return }
            try self.store(object, name, value)
        case .assign(_, let inner, let other):
            let isMissing = value == .undefined
            try self.assign(
                isMissing ? self.evaluate(other, in: scope) : value,
                to: inner,
                in: scope,
                declares: declares
            )
        case .object(let members):
            for (key, inner) in members {
                let name = try self.string(self.evaluate(key, in: scope)) ?? ""
                let part = value.isMissing ? .undefined : try self.get(value, name)
                try self.assign(part, to: inner, in: scope, declares: declares)
            }
        case .array(let targets):
            for (index, inner) in targets.enumerated() {
                let part = value.isMissing ? .undefined : try self.get(value, String(index))
                try self.assign(part, to: inner, in: scope, declares: declares)
            }
        case .spread(let inner): try self.assign(.unknown("an array"), to: inner, in: scope, declares: declares)
        default: break
        }
    }

    /// Deletes a member (§13.5.1).
    mutating func delete(_ target: Int, in scope: Int) throws(Stop) -> ScriptValue {
        guard case .member(let owner, let key, _) = self.program.nodes[target] else {
            // Variables can't be deleted.
            return .boolean(false)
        }
        let object = try self.evaluate(owner, in: scope)
        guard let name = try self.string(self.evaluate(key, in: scope)) else {
            self.incompleteScript = self.incompleteScript ?? "a script deletes a member whose name is unknown"
            return .boolean(true)
        }
        try self.charge(name)
        guard case .object(let id) = object else { return .boolean(true) }
        switch self.objects[id].kind {
        case .host(.window):
            if self.uncertainty > 0 {
                if self.scopes[0].values[name] != nil { self.scopes[0].values[name] = .conditional }
            } else {
                self.scopes[0].values[name] = nil
            }
        case .part("dataset", let element):
            if self.uncertainty == 0 { self.page.elements[element].attributes["data-" + Self.dashed(name)] = nil }
        case .array where Int(name) != nil:
            guard let index = Int(name), self.objects[id].items.indices.contains(index) else { break }
            self.objects[id].items[index] = self.settled(
                .undefined,
                old: self.objects[id].items[index],
                madeAt: self.objects[id].uncertainty
            )
        default:
            guard let old = self.objects[id].members[name] else { break }
            if self.uncertainty > self.objects[id].uncertainty {
                self.objects[id].members[name] = self.settled(
                    .undefined,
                    old: old,
                    madeAt: self.objects[id].uncertainty
                )
            } else {
                try self.meter.charge(self.objects[id].names.count / StepMeter.values)
                self.objects[id].members[name] = nil
                self.objects[id].names.removeAll { $0 == name }
            }
        }
        return .boolean(true)
    }
}
