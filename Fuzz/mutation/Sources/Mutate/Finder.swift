// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// Finds the mutants of a file.
///
/// All edits only insert text or replace one operator, so that lines keep their numbers and edits can be nested.
final class Finder: SyntaxVisitor {
    let source: [UInt8]
    let declarations: Declarations
    private(set) var sites: [Site] = []
    private(set) var skipped: [String: Int] = [:]
    /// Expressions that have their mutants already.
    private var handled: Set<SyntaxIdentifier> = []
    /// The changes of each place. Two operators may find the same one.
    private var changes: Set<String> = []
    /// The result types of the enclosing functions, closures and properties. nil if a type isn't written.
    private var results: [String?] = []
    /// The written types of the parameters and variables of each enclosing function.
    private var types: [[String: String]] = []
    /// The names of the enclosing declarations.
    private var names: [String] = []

    init(_ source: [UInt8], _ declarations: Declarations) {
        self.source = source
        self.declarations = declarations
        super.init(viewMode: .sourceAccurate)
    }

    func skip(_ reason: String) { skipped[reason, default: 0] += 1 }

    func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    func text(_ node: some SyntaxProtocol) -> String { String(decoding: source[range(node)], as: UTF8.self) }

    /// The enclosing declarations.
    var declaration: String { names.joined(separator: ".") }

    func append(_ site: Site) { sites.append(site) }

    func isHandled(_ expression: ExprSyntax) -> Bool { handled.contains(expression.id) }

    func add(
        _ node: some SyntaxProtocol, rank: Int, _ mutants: [Mutant], before: @escaping (Int) -> String,
        after: String = ")", replacing token: TokenSyntax? = nil, by text: String = ","
    ) {
        let place = range(node)
        guard mutants.count > 1 || changes.insert("\(place) \(mutants[0].after)").inserted else { return }
        var site = Site(range: place, rank: rank, mutants: mutants, declaration: declaration)
        site.prefix = before
        site.suffix = { _ in after }
        if let token { site.replaced = (range(token), text) }
        sites.append(site)
    }

    func mutant(_ kind: Mutant.Kind, _ before: some SyntaxProtocol, _ after: String) -> Mutant {
        Mutant(kind: kind, before: text(before), after: after)
    }

    // MARK: - Conditions

    /// Returns the expression without `try`, `unsafe` and parentheses, which have to stay outside of a call.
    func core(_ expression: ExprSyntax) -> ExprSyntax {
        if let node = expression.as(TryExprSyntax.self) { return core(node.expression) }
        if let node = expression.as(UnsafeExprSyntax.self) { return core(node.expression) }
        if let node = expression.as(TupleExprSyntax.self), node.elements.count == 1, let only = node.elements.first,
            only.label == nil
        {
            return core(only.expression)
        }
        return expression
    }

    func infix(_ expression: ExprSyntax) -> (node: InfixOperatorExprSyntax, token: TokenSyntax)? {
        guard let node = expression.as(InfixOperatorExprSyntax.self),
            let token = node.operator.as(BinaryOperatorExprSyntax.self)?.operator
        else { return nil }
        return (node, token)
    }

    func isCharge(_ expression: ExprSyntax) -> Bool {
        guard let call = expression.as(FunctionCallExprSyntax.self) else { return false }
        let name =
            call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        return name.hasPrefix("charge")
    }

    /// Adds the mutants of a Boolean expression.
    func condition(_ expression: ExprSyntax) {
        let expression = core(expression)
        if let (node, token) = infix(expression), token.text == "&&" || token.text == "||" {
            guard handled.insert(node.id).inserted else { return }
            let isAnd = token.text == "&&"
            let other = isAnd ? "||" : "&&"
            add(
                node, rank: 2,
                [mutant(.logic, node, "\(text(node.leftOperand)) \(other) \(text(node.rightOperand))")],
                before: { "\(isAnd ? "mutAnd" : "mutOr")(\($0), " }, replacing: token)
            condition(node.leftOperand)
            condition(node.rightOperand)
            leaveOut(node.leftOperand, isAnd: isAnd)
            leaveOut(node.rightOperand, isAnd: isAnd)
        } else if let node = expression.as(PrefixOperatorExprSyntax.self), node.operator.text == "!" {
            condition(node.expression)
        } else if expression.is(BooleanLiteralExprSyntax.self),
            expression.parent?.is(ConditionElementSyntax.self) == true
        {
            // The compiler knows that `while true` doesn't end.
            skip("a loop without a condition")
        } else if handled.insert(expression.id).inserted {
            if isCharge(expression) {
                add(
                    expression, rank: 3, [mutant(.charge, expression, "true, without the charge")],
                    before: { "mutUncharged(\($0), " })
            } else {
                add(
                    expression, rank: 3, [mutant(.negate, expression, "!(\(text(expression)))")],
                    before: { "mutNot(\($0), " })
            }
        }
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let expression) = node.condition { condition(expression) }
        faults(of: node)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        condition(node.condition)
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        condition(node.condition)
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "!" { condition(ExprSyntax(node)) }
        if ["..<", "..."].contains(node.operator.text) { cut(node.expression, "mutMinus", "- 1") }
        return .visitChildren
    }

    override func visit(_ node: PostfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.text == "..." { cut(node.expression, "mutPlus", "+ 1") }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let (_, token) = infix(ExprSyntax(node)) else { return .visitChildren }
        let calls = ["<": "mutLT", "<=": "mutLE", ">": "mutGT", ">=": "mutGE"]
        switch token.text {
        case "&&", "||", "==", "!=", "===", "!==": condition(ExprSyntax(node))
        case let name where calls[name] != nil:
            condition(ExprSyntax(node))
            let edge = name.hasSuffix("=") ? String(name.dropLast()) : name + "="
            let (left, right) = (text(node.leftOperand), text(node.rightOperand))
            add(
                node, rank: 1,
                [edge, "=="].map { mutant(.compare, node, "\(left) \($0) \(right)") },
                before: { "\(calls[name] ?? "")(\($0), " }, replacing: token)
        case "..<", "...":
            cut(node.leftOperand, "mutPlus", "+ 1")
            cut(node.rightOperand, "mutMinus", "- 1")
        default: leaveOut(from: node, token)
        }
        return .visitChildren
    }

    /// Whether the block ends by leaving the enclosing function or loop.
    private func leaves(_ block: CodeBlockSyntax) -> Bool {
        guard case .stmt(let last)? = block.statements.last?.item else { return false }
        return last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self) || last.is(ContinueStmtSyntax.self)
            || last.is(BreakStmtSyntax.self)
    }

    override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
        for element in node.conditions {
            guard case .expression(let expression) = element.condition else {
                continue
            }
            let inner = core(expression)
            if isCharge(inner) { continue }
            add(inner, rank: 4, [mutant(.exit, inner, "true")], before: { "mutTrue(\($0), " })
        }
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        if node.elseBody == nil, leaves(node.body) {
            let plain = node.conditions.compactMap { element in
                if case .expression(let expression) = element.condition { expression } else { nil }
            }
            if let first = plain.first {
                let inner = core(first)
                add(inner, rank: 4, [mutant(.exit, inner, "false")], before: { "mutFalse(\($0), " })
            }
        } else {
            removal(of: node)
        }
        return .visitChildren
    }

    // MARK: - Statements

    /// Whether an item is the only expression of a body that returns it, or the value of an `if` or `switch` expression.
    func isValue(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
        guard let owner = list.parent else { return false }
        if owner.is(ClosureExprSyntax.self) { return true }
        if owner.is(AccessorBlockSyntax.self) { return true }
        if let block = owner.as(CodeBlockSyntax.self) {
            if let function = block.parent?.as(FunctionDeclSyntax.self) {
                return function.signature.returnClause.map { text($0.type) != "Void" } ?? false
            }
            if let accessor = block.parent?.as(AccessorDeclSyntax.self) {
                return accessor.accessorSpecifier.text == "get"
            }
            guard let branch = block.parent?.as(IfExprSyntax.self) else { return false }
            return isValue(outermost(branch))
        }
        guard let switched = owner.as(SwitchCaseSyntax.self)?.parent?.parent?.as(SwitchExprSyntax.self) else {
            return false
        }
        return isValue(Syntax(switched))
    }

    private func outermost(_ node: IfExprSyntax) -> Syntax {
        node.parent?.as(IfExprSyntax.self).map(outermost) ?? Syntax(node)
    }

    /// Whether the value of an `if` or `switch` is used.
    private func isValue(_ node: Syntax) -> Bool {
        guard let statement = node.parent?.as(ExpressionStmtSyntax.self) else { return true }
        guard let item = statement.parent?.as(CodeBlockItemSyntax.self) else { return false }
        return isValue(item)
    }

    /// Whether removing an assignment could leave a constant or property without a value.
    private func initializes(_ target: ExprSyntax) -> Bool {
        if let member = target.as(MemberAccessExprSyntax.self) {
            return member.base.map { text($0) == "self" } ?? true && names.last == "init"
        }
        guard let name = target.as(DeclReferenceExprSyntax.self)?.baseName.text else { return false }
        return names.last == "init" || types.last?[name] == "uninitialized"
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let expression) = node.item, !isValue(node) else { return .visitChildren }
        var inner = core(expression)
        if let assignment = inner.as(InfixOperatorExprSyntax.self) {
            if assignment.operator.is(AssignmentExprSyntax.self) {
                if assignment.leftOperand.is(DiscardAssignmentExprSyntax.self) {
                    inner = core(assignment.rightOperand)
                } else if initializes(assignment.leftOperand) {
                    skip("an assignment that initializes")
                    return .visitChildren
                }
            } else if infix(inner)?.token.text.hasSuffix("=") != true {
                return .visitChildren
            }
        } else if let call = inner.as(FunctionCallExprSyntax.self) {
            let name = text(call.calledExpression)
            if ["super.init", "self.init", "fatalError", "preconditionFailure", "precondition", "assert"].contains(name)
            {
                return .visitChildren
            }
        } else {
            return .visitChildren
        }
        add(
            expression, rank: 9, [mutant(isCharge(inner) ? .charge : .remove, expression, "nothing")],
            before: { "if !mutOn(\($0)) { " }, after: " }")
        return .visitChildren
    }

    // MARK: - Results

    private func result(_ expression: ExprSyntax) {
        guard case .some(.some(let type)) = results.last else { return }
        let inner = core(expression)
        if inner.is(IfExprSyntax.self) || inner.is(SwitchExprSyntax.self)
            || inner.as(InfixOperatorExprSyntax.self)?.operator.is(AssignmentExprSyntax.self) == true
        {
            return
        }
        if type == "Bool" {
            condition(expression)
        } else if type.hasSuffix("?") {
            guard !inner.is(NilLiteralExprSyntax.self) else { return }
            add(inner, rank: 5, [mutant(.result, inner, "nil")], before: { "mutNil(\($0), " })
        } else if type.hasPrefix("[") || type.hasPrefix("Set<") || type == "String" {
            guard inner.as(ArrayExprSyntax.self)?.elements.isEmpty != true, text(inner) != "[:]", text(inner) != "\"\""
            else { return }
            add(inner, rank: 5, [mutant(.result, inner, "empty")], before: { "mutEmpty(\($0), " })
        }
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let expression = node.expression { result(expression) }
        return .visitChildren
    }

    /// Handles the only expression of a body as its result.
    private func implicitResult(_ items: CodeBlockItemListSyntax?) {
        guard let items, items.count == 1, case .expr(let expression)? = items.first?.item else { return }
        result(expression)
    }

    // MARK: - Literals

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if let element = node.parent?.as(ArrayElementSyntax.self),
            let list = element.parent?.as(ArrayElementListSyntax.self), list.count > 12
        {
            skip("a long table of numbers")
            return .skipChildren
        }
        let value = text(node)
        let `operator` = node.parent.flatMap { infix(ExprSyntax($0) ?? ExprSyntax(node))?.token.text }
        let both =
            `operator`.map { ["+", "-", "&+", "&-", "*", "<", "<=", ">", ">=", "..<", "...", "==", "!="].contains($0) }
            ?? false
        if both {
            add(
                node, rank: 0, [mutant(.number, node, "\(value) + 1"), mutant(.number, node, "\(value) - 1")],
                before: { "mutPlus(\($0), mutMinus(\($0 + 1), " }, after: "))")
        } else {
            add(node, rank: 0, [mutant(.number, node, "\(value) + 1")], before: { "mutPlus(\($0), " })
        }
        return .skipChildren
    }

    override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
        // `[UInt8](…)` and `[UInt8].self` are types.
        if node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id { return .skipChildren }
        if let name = node.parent?.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            name == "self" || name == "init"
        {
            return .skipChildren
        }
        drop(node, node.elements.map { text($0.expression) }, "[]")
        return .visitChildren
    }

    override func visit(_ node: DictionaryExprSyntax) -> SyntaxVisitorContinueKind {
        if node.parent?.as(FunctionCallExprSyntax.self)?.calledExpression.id == node.id { return .skipChildren }
        if case .elements(let elements) = node.content {
            drop(node, elements.map { "\(text($0.key)): \(text($0.value))" }, "[:]")
            if elements.count <= 40 {
                for (one, two) in zip(elements, elements.dropFirst()) { entry(one.value, text(two.value)) }
            }
        }
        return .visitChildren
    }

    private func drop(_ node: some ExprSyntaxProtocol, _ elements: [String], _ empty: String) {
        guard !elements.isEmpty else { return }
        guard elements.count <= 12 || elements.count <= 64 && elements[0].first?.isNumber == false else {
            return skip("a long table of numbers")
        }
        let mutants = elements.indices.map { index in
            var left = elements
            left.remove(at: index)
            return mutant(.element, node, left.isEmpty ? empty : "[\(left.joined(separator: ", "))]")
        }
        add(node, rank: 0, mutants, before: { "mutDrop(\($0), \(mutants.count), " })
    }

    // MARK: - Arguments and cases

    /// Text that is equal for expressions of the same type, as far as the syntax shows it.
    private func typeKey(_ expression: ExprSyntax) -> String? {
        if let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text {
            for scope in types.reversed() { if let type = scope[name] { return type == "uninitialized" ? nil : type } }
            return nil
        }
        if let member = expression.as(MemberAccessExprSyntax.self), member.base != nil {
            return "." + member.declName.baseName.text
        }
        if expression.is(BooleanLiteralExprSyntax.self) { return "Bool" }
        if expression.is(StringLiteralExprSyntax.self) { return "String" }
        return nil
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let name = text(node.calledExpression)
        if let member = node.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base {
            standardCall(node, member, base)
        }
        let signatures = signatures(node)
        replacements(node, signatures)
        guard node.trailingClosure == nil, name != "self.init", name != "super.init", node.arguments.count > 1 else {
            return .visitChildren
        }
        let arguments = node.arguments.map(\.expression)
        var declared: [String?] = arguments.map { _ in nil }
        if let first = signatures.first, signatures.allSatisfy({ $0.parameters == first.parameters }) {
            declared = first.parameters
        }
        func areAlike(_ first: Int, _ second: Int) -> Bool {
            guard text(arguments[first]) != text(arguments[second]) else { return false }
            if let key = typeKey(arguments[first]), key == typeKey(arguments[second]) { return true }
            guard let type = declared[first], type == declared[second] else { return false }
            return !type.hasPrefix("inout") && !type.contains("->")
        }
        for first in arguments.indices {
            for second in arguments.indices where second > first && areAlike(first, second) {
                let (whole, one, two) = (range(node), range(arguments[first]), range(arguments[second]))
                let swapped = Array(
                    source[whole.lowerBound..<one.lowerBound] + source[two]
                        + source[one.upperBound..<two.lowerBound] + source[one]
                        + source[two.upperBound..<whole.upperBound])
                let text = String(decoding: swapped, as: UTF8.self)
                guard !text.contains("//") else {
                    skip("swapped arguments with a comment")
                    continue
                }
                let line = text.split(separator: "\n").joined(separator: " ")
                add(node, rank: 1, [mutant(.swap, node, line)], before: { "(mutOn(\($0)) ? \(line) : " })
            }
        }
        return .visitChildren
    }

    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
        elements(of: node)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        neighbor(node)
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        literal(node)
        return .skipChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        entries(of: node)
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        guard cases.contains(where: { if case .default = $0.label { true } else { false } }) else {
            return .visitChildren
        }
        for item in cases {
            guard case .case(let label) = item.label else { continue }
            for pattern in label.caseItems {
                let removed = [mutant(.switchCase, pattern, "no case")]
                if let clause = pattern.whereClause {
                    add(clause.condition, rank: 6, removed, before: { "!mutOn(\($0)) && (" })
                } else {
                    var site = Site(
                        range: range(pattern.pattern), rank: 6, mutants: removed, declaration: declaration)
                    site.suffix = { " where !mutOn(\($0))" }
                    sites.append(site)
                }
            }
        }
        return .visitChildren
    }

    // MARK: - Declarations

    private func enter(_ name: String, _ result: String?, _ parameters: FunctionParameterListSyntax? = nil) {
        names.append(name)
        results.append(result)
        var scope: [String: String] = [:]
        for parameter in parameters ?? [] {
            scope[(parameter.secondName ?? parameter.firstName).text] = text(parameter.type)
        }
        types.append(scope)
    }

    private func leave() {
        names.removeLast()
        results.removeLast()
        types.removeLast()
    }

    private func isInlinable(_ attributes: AttributeListSyntax) -> Bool {
        attributes.contains { $0.as(AttributeSyntax.self).map { text($0.attributeName) == "inlinable" } ?? false }
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        let type = node.signature.returnClause.map { text($0.type) }
        enter(node.name.text + text(node.signature.parameterClause), type, node.signature.parameterClause.parameters)
        guard !isInlinable(node.attributes) else {
            skip("an inlinable function")
            return .skipChildren
        }
        implicitResult(node.body?.statements)
        return .visitChildren
    }
    override func visitPost(_ node: FunctionDeclSyntax) { leave() }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("init", nil, node.signature.parameterClause.parameters)
        return isInlinable(node.attributes) ? .skipChildren : .visitChildren
    }
    override func visitPost(_ node: InitializerDeclSyntax) { leave() }

    override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
        enter("subscript", text(node.returnClause.type), node.parameterClause.parameters)
        if case .getter(let items)? = node.accessorBlock?.accessors { implicitResult(items) }
        return .visitChildren
    }
    override func visitPost(_ node: SubscriptDeclSyntax) { leave() }

    override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
        let name = text(node.pattern)
        if types.isEmpty == false, node.accessorBlock == nil,
            let pattern = node.pattern.as(IdentifierPatternSyntax.self)
        {
            let type = node.typeAnnotation.map { text($0.type) }
            types[types.count - 1][pattern.identifier.text] =
                node.initializer == nil && type?.hasSuffix("?") != true ? "uninitialized" : type
        }
        enter(name, node.accessorBlock == nil ? nil : node.typeAnnotation.map { text($0.type) })
        if ["description", "debugDescription"].contains(name), node.accessorBlock != nil {
            skip("a description")
            return .skipChildren
        }
        if case .getter(let items)? = node.accessorBlock?.accessors { implicitResult(items) }
        return .visitChildren
    }
    override func visitPost(_ node: PatternBindingSyntax) { leave() }

    override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
        if node.accessorSpecifier.text == "get" {
            implicitResult(node.body?.statements)
        } else {
            results.append(nil)
        }
        return .visitChildren
    }
    override func visitPost(_ node: AccessorDeclSyntax) {
        if node.accessorSpecifier.text != "get" { results.removeLast() }
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        results.append(node.signature?.returnClause.map { text($0.type) })
        types.append([:])
        implicitResult(node.statements)
        return .visitChildren
    }
    override func visitPost(_ node: ClosureExprSyntax) {
        results.removeLast()
        types.removeLast()
    }

    private func enterType(_ name: String) -> SyntaxVisitorContinueKind {
        names.append(name)
        return .visitChildren
    }
    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name.text) }
    override func visitPost(_ node: StructDeclSyntax) { names.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name.text) }
    override func visitPost(_ node: EnumDeclSyntax) { names.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name.text) }
    override func visitPost(_ node: ClassDeclSyntax) { names.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { enterType(text(node.extendedType)) }
    override func visitPost(_ node: ExtensionDeclSyntax) { names.removeLast() }

    // MARK: - Parts without mutants

    override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
        defaultArgument(node)
        return .skipChildren
    }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: GenericArgumentClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if node.segments.count > 1 { skip("an interpolated text") }
        tableText(node)
        return .skipChildren
    }

    override func visit(_ node: IfConfigClauseSyntax) -> SyntaxVisitorContinueKind {
        let condition = node.condition.map { text($0) } ?? ""
        if condition.contains("Darwin") || condition.contains("Musl") {
            skip("another platform")
        } else if let elements = node.elements {
            walk(elements)
        }
        return .skipChildren
    }
}
