// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

// The faults of people: a check that is missing for one certificate of a path, for one kind of evidence or in one place.

extension Finder {
    // MARK: - Conditions

    /// Leaves out one operand of `&&` or `||`.
    func leaveOut(_ operand: ExprSyntax, isAnd: Bool) {
        let inner = core(operand)
        if let (_, token) = infix(inner), token.text == (isAnd ? "&&" : "||") { return }
        guard !isCharge(inner) else { return }
        add(
            inner, rank: 4, [mutant(.skip, inner, isAnd ? "true" : "false")],
            before: { "\(isAnd ? "mutTrue" : "mutFalse")(\($0), " })
    }

    /// Handles a condition that binds a value or matches a pattern, and one of several conditions.
    func faults(of node: ConditionElementSyntax) {
        let isGuard = node.parent?.parent?.is(GuardStmtSyntax.self) == true
        if case .expression(let expression) = node.condition {
            let isOneOfSeveral = (node.parent?.as(ConditionElementListSyntax.self)?.count ?? 1) > 1
            let inner = core(expression)
            guard isOneOfSeveral, !isGuard, !isCharge(inner), !inner.is(BooleanLiteralExprSyntax.self) else { return }
            add(inner, rank: 5, [mutant(.skip, inner, "true")], before: { "mutTrue(\($0), " })
        } else if !node.condition.is(AvailabilityConditionSyntax.self) {
            var site = Site(
                range: range(node.condition), rank: 9,
                mutants: [mutant(isGuard ? .exit : .skip, node.condition, "false")], declaration: declaration)
            site.suffix = { ", !mutOn(\($0))" }
            append(site)
        }
    }

    /// Removes an `if` that doesn't leave and has several statements. The removal of a single one is the same.
    func removal(of node: IfExprSyntax) {
        guard node.elseBody == nil, node.body.statements.count > 1,
            case .expression(let first)? = node.conditions.first?.condition
        else { return }
        let inner = core(first)
        add(inner, rank: 6, [mutant(.remove, inner, "false")], before: { "mutFalse(\($0), " })
    }

    // MARK: - Sequences

    private static let places = ["only the first", "without the first", "without the last"]

    /// Cuts the elements of a loop.
    func elements(of node: ForStmtSyntax) {
        guard node.awaitKeyword == nil else { return }
        let inner = core(node.sequence)
        add(
            inner, rank: 8, (Self.places + ["none"]).map { mutant(.loop, inner, "\(text(inner)), \($0)") },
            before: { "mutLoop(\($0), " })
    }

    /// Handles calls of the standard library that take a condition, a part or an order.
    func standardCall(_ node: FunctionCallExprSyntax, _ member: MemberAccessExprSyntax, _ base: ExprSyntax) {
        let name = member.declName.baseName.text
        let closure = node.trailingClosure ?? node.arguments.last?.expression.as(ClosureExprSyntax.self)
        if let closure,
            ["allSatisfy", "contains", "first", "filter", "removeAll", "firstIndex", "prefix", "drop"].contains(name)
        {
            if closure.statements.count == 1, case .expr(let expression)? = closure.statements.first?.item {
                let inner = core(expression)
                condition(expression)
                let isHarmless = ["allSatisfy", "filter", "first", "firstIndex", "prefix"].contains(name)
                add(
                    inner, rank: 6, [mutant(.call, inner, isHarmless ? "true" : "false")],
                    before: { "\(isHarmless ? "mutTrue" : "mutFalse")(\($0), " })
            }
            if ["allSatisfy", "contains", "first"].contains(name), !base.is(OptionalChainingExprSyntax.self) {
                let inner = core(base)
                add(
                    inner, rank: 6, Self.places.map { mutant(.loop, inner, "\(text(inner)), \($0)") },
                    before: { "mutFew(\($0), " })
            }
        }
        if ["sorted", "lowercased", "union", "subtracting", "intersection"].contains(name) {
            replace(node, by: base)
        }
        guard ["prefix", "suffix", "dropFirst", "dropLast", "removeFirst", "removeLast"].contains(name) else { return }
        let isDrop = name.hasPrefix("drop") || name.hasPrefix("remove")
        if let argument = node.arguments.first, node.arguments.count == 1, argument.label == nil {
            cut(argument.expression, "\(isDrop ? "mutPlus" : "mutMinus")", isDrop ? "+ 1" : "- 1")
        } else if name.hasPrefix("drop"), node.arguments.isEmpty, node.trailingClosure == nil,
            let paren = node.rightParen
        {
            var site = Site(
                range: range(paren).lowerBound..<range(paren).lowerBound, rank: 0,
                mutants: ["0", "2"].map { mutant(.slice, node, "\(text(base)).\(name)(\($0))") },
                declaration: declaration)
            site.prefix = { "mutOn(\($0)) ? 0 : mutOn(\($0 + 1)) ? 2 : 1" }
            append(site)
        }
    }

    /// Changes the end of a slice that isn't a literal, which has other mutants.
    func cut(_ end: ExprSyntax, _ function: String, _ change: String) {
        let inner = core(end)
        guard !inner.is(IntegerLiteralExprSyntax.self), !inner.is(FloatLiteralExprSyntax.self) else { return }
        add(inner, rank: 4, [mutant(.slice, inner, "\(text(inner)) \(change)")], before: { "\(function)(\($0), " })
    }

    // MARK: - Calls

    private func replace(_ node: FunctionCallExprSyntax, by part: ExprSyntax) {
        let instead = text(part)
        guard !instead.contains("//"), !instead.contains("\n"), !part.is(OptionalChainingExprSyntax.self) else {
            return
        }
        add(node, rank: 2, [mutant(.call, node, instead)], before: { "(mutOn(\($0)) ? \(instead) : " })
    }

    /// The signatures of a called function, or of an initializer that the compiler writes.
    func signatures(_ node: FunctionCallExprSyntax) -> [Declarations.Signature] {
        guard node.trailingClosure == nil else { return [] }
        let called = node.calledExpression
        let name =
            called.as(DeclReferenceExprSyntax.self)?.baseName.text
            ?? called.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? ""
        let labels = node.arguments.map { $0.label?.text ?? "_" }
        if let found = declarations.signatures[name + "(" + labels.map { $0 + ":" }.joined() + ")"] { return found }
        guard let fields = declarations.fields[name] else { return [] }
        let types = labels.map { label in fields.first { $0.name == label }?.type }
        guard types.allSatisfy({ $0 != nil }) else { return [] }
        return [Declarations.Signature(parameters: types.compactMap { $0 }, result: nil, owner: nil)]
    }

    /// Replaces a call by an argument or the receiver if the declarations show that it has the same type.
    func replacements(_ node: FunctionCallExprSyntax, _ signatures: [Declarations.Signature]) {
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
            ["min", "max"].contains(name),
            node.arguments.count == 2, node.arguments.allSatisfy({ $0.label == nil })
        {
            for argument in node.arguments { replace(node, by: argument.expression) }
        }
        guard let signature = signatures.first, let result = signature.result,
            signatures.allSatisfy({ $0.result == result })
        else { return }
        for (argument, type) in zip(node.arguments, signature.parameters) where type == result {
            replace(node, by: argument.expression)
        }
        if signature.owner == result, let base = node.calledExpression.as(MemberAccessExprSyntax.self)?.base {
            replace(node, by: base)
        }
    }

    // MARK: - Values

    /// Replaces a value of a type by the next one that the type declares.
    func neighbor(_ node: MemberAccessExprSyntax, kind: Mutant.Kind = .neighbor) {
        let name = node.declName.baseName.text
        let owner = node.base.map { text($0) }
        guard owner?.first?.isUppercase != false, !["init", "self", "none", "some"].contains(name), !isLongTable(node)
        else { return }
        if node.parent?.as(MemberAccessExprSyntax.self)?.base?.id == node.id { return }
        let type = owner.flatMap { $0.split(separator: ".").last.map(String.init) }
        let prefix = owner.map { $0 + "." } ?? "."
        var whole = ExprSyntax(node), rest = ""
        if let call = node.parent?.as(FunctionCallExprSyntax.self), call.calledExpression.id == node.id {
            rest = String(text(call).dropFirst(text(node).count))
            guard !rest.contains("\n"), call.trailingClosure == nil else { return }
            whole = ExprSyntax(call)
        }
        let isCall = !rest.isEmpty
        let others = declarations.neighbors(of: name, in: type, payload: isCall ? nil : "")
        for other in others.prefix(3) where other != name && (!isCall || isCase(name, with: other)) {
            let instead = prefix + other + rest
            add(whole, rank: 3, [mutant(kind, whole, instead)], before: { "(mutOn(\($0)) ? \(instead) : " })
        }
    }

    /// Whether both names are cases with associated values of the same types.
    private func isCase(_ name: String, with other: String) -> Bool {
        declarations.values.values.contains { list in
            list.contains { $0.name == name && !$0.payload.isEmpty }
                && list.contains { $0.name == other && !$0.payload.isEmpty }
        }
    }

    private func isLongTable(_ node: some SyntaxProtocol) -> Bool {
        (node.parent?.parent?.as(ArrayElementListSyntax.self)?.count ?? 0) > 12
            || (node.parent?.parent?.as(DictionaryElementListSyntax.self)?.count ?? 0) > 12
    }

    /// The only expression of a case that is its value, and whose pattern binds no name.
    private func value(of item: SwitchCaseSyntax) -> ExprSyntax? {
        guard item.statements.count == 1, let statement = item.statements.first else { return nil }
        if case .case(let label) = item.label, text(label).contains("let ") || text(label).contains("var ") {
            return nil
        }
        if case .expr(let expression) = statement.item, isValue(statement) { return core(expression) }
        if case .stmt(let leaving) = statement.item, let value = leaving.as(ReturnStmtSyntax.self)?.expression {
            return core(value)
        }
        return nil
    }

    /// Gives each case of a `switch` the value of the next one.
    func entries(of node: SwitchExprSyntax) {
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }.map(value(of:))
        for (one, two) in zip(cases, cases.dropFirst() + cases.prefix(1)) where cases.count > 1 {
            guard let one, let two, !one.is(SwitchExprSyntax.self), !one.is(IfExprSyntax.self),
                !two.is(SwitchExprSyntax.self),
                !two.is(IfExprSyntax.self)
            else { continue }
            entry(one, text(two))
        }
    }

    func entry(_ value: ExprSyntax, _ other: String) {
        guard text(value) != other, !other.contains("\n"), !other.contains("//"), other.utf8.count < 120 else { return }
        add(value, rank: 7, [mutant(.entry, value, other)], before: { "(mutOn(\($0)) ? \(other) : " })
    }

    /// Changes a text in a table or in a constant of a type.
    func tableText(_ node: StringLiteralExprSyntax) {
        guard node.segments.count == 1, text(node).utf8.count < 60, !text(node).contains("\\"),
            !text(node).contains(" ")
        else { return }
        var parent = node.parent
        while let current = parent, !current.is(CodeBlockSyntax.self), !current.is(MemberBlockItemSyntax.self) {
            if current.is(AccessorBlockSyntax.self) { return }
            parent = current.parent
        }
        guard let variable = parent?.as(MemberBlockItemSyntax.self)?.decl.as(VariableDeclSyntax.self),
            variable.modifiers.contains(where: { $0.name.text == "static" })
        else { return }
        add(node, rank: 0, [mutant(.entry, node, "another text")], before: { "mutText(\($0), " })
    }

    /// Handles the literal of a Bool that isn't a condition.
    func literal(_ node: BooleanLiteralExprSyntax) {
        guard !isHandled(ExprSyntax(node)), node.parent?.is(ConditionElementSyntax.self) != true else { return }
        let clause = node.parent?.as(InitializerClauseSyntax.self)
        let isProperty =
            clause?.parent?.is(FunctionParameterSyntax.self) == true
            || clause?.parent?.parent?.parent?.parent?.is(MemberBlockItemSyntax.self) == true
        let isFallback = node.parent.flatMap { infix(ExprSyntax($0) ?? ExprSyntax(node)) }?.token.text == "??"
        let kind: Mutant.Kind = isProperty || isFallback ? .defaults : .negate
        add(node, rank: 3, [mutant(kind, node, text(node) == "true" ? "false" : "true")], before: { "mutNot(\($0), " })
    }

    /// Changes the default value of a parameter.
    func defaultArgument(_ node: FunctionParameterSyntax) {
        guard let value = node.defaultValue?.value else { return }
        if let literal = value.as(BooleanLiteralExprSyntax.self) {
            self.literal(literal)
        } else if let member = value.as(MemberAccessExprSyntax.self) {
            neighbor(member, kind: .defaults)
        } else if value.is(IntegerLiteralExprSyntax.self) {
            add(value, rank: 0, [mutant(.defaults, value, "\(text(value)) + 1")], before: { "mutPlus(\($0), " })
        } else {
            skip("a default argument")
        }
    }

    /// Leaves out one of several lists or of several values.
    func leaveOut(from node: InfixOperatorExprSyntax, _ token: TokenSyntax) {
        if token.text == "??" {
            let inner = core(node.leftOperand)
            guard infix(inner)?.token.text != "??" else { return }
            add(inner, rank: 6, [mutant(.skip, inner, "nil")], before: { "mutNil(\($0), " })
        } else if token.text == "+" {
            for operand in [node.leftOperand, node.rightOperand] {
                let inner = core(operand)
                guard isList(inner) else { continue }
                add(inner, rank: 6, [mutant(.skip, inner, "empty")], before: { "mutEmpty(\($0), " })
            }
        }
    }

    /// Whether every declaration with the name has an array as its value.
    private func isList(_ node: ExprSyntax) -> Bool {
        if let call = node.as(FunctionCallExprSyntax.self) {
            let found = signatures(call).map(\.result)
            return !found.isEmpty && found.allSatisfy { $0?.hasPrefix("[") == true && $0?.contains(":") == false }
        }
        let name =
            node.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? node.as(DeclReferenceExprSyntax.self)?
            .baseName.text ?? ""
        let found = declarations.properties[name] ?? []
        return !found.isEmpty && found.allSatisfy { $0.hasPrefix("[") && $0.hasSuffix("]") && !$0.contains(":") }
    }
}
