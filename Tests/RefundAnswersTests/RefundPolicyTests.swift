internal import Foundation
internal import TestSupport
internal import Testing

@testable import MillConfiguration
@testable import MillSystem
@testable import RefundAnswers

@Suite struct RefundPolicyTests {
    private func policy(_ text: String) throws -> RefundPolicy {
        let workdir = try Workdir()
        return try RefundPolicy(path: workdir.write(text, to: "policy.yaml"), environment: [:])
    }

    @Test("The example that ships is read, and has every key and value")
    func example() throws {
        let file = Repository.file("pipelines/refund-policy.yaml")
        let policy = try RefundPolicy(path: file.path, environment: [:])
        #expect(policy.rules.count == 11)
        #expect(policy.rules.count { $0.answer == nil } == 2)
        let last = try #require(policy.rules.last)
        #expect(last.name == "anything else" && last.answer?.deliveryStatus == .delivered)
        let text = try String(contentsOf: file, encoding: .utf8)
        func names(_ keys: [KeyDescription]) -> [String] { keys.flatMap { [$0.name] + names($0.keys) } }
        for name in Set(names(RefundPolicy.descriptions)) { #expect(text.contains("\(name):"), "\(name)") }
    }

    @Test(
        "A fault of a policy is refused with its line and key",
        arguments: [
            ("rules: []\n", 1, "rules: the list is empty"),
            ("rules:\n  - name: a\n", 2, "rules[0]: a rule has either answer or leave_open: true"),
            (
                "rules:\n  - name: a\n    leave_open: true\n    answer: \(plain)\n", 2,
                "rules[0]: a rule has either answer or leave_open: true"
            ),
            ("rules:\n  - name: a\n    answer: {delivery_status: LOST}\n", 3, "rules[0].answer.delivery_status: "),
            (
                "rules:\n  - name: a\n    answer: {delivery_status: DELIVERED}\n", 3,
                "rules[0].answer.sample_content_provided: is missing"
            ),
            (
                "rules:\n  - name: a\n    leave_open: true\n  - name: a\n    leave_open: true\n", 4,
                "rules[1].name: another rule is called 'a'"
            ),
            (
                "rules:\n  - name: a\n    when: {refund: {at_least: 1}}\n    leave_open: true\n", 3,
                "rules[0].when.refund: there is no such key"
            ),
            (
                "rules:\n  - name: a\n    when:\n      refunds: {at_least: 2, at_most: 1}\n    leave_open: true\n", 4,
                "rules[0].when.refunds: at_least is greater than at_most"
            ),
            (
                "rules:\n  - name: a\n    when: {refunds: {}}\n    leave_open: true\n", 3,
                "rules[0].when.refunds: give at_least, at_most or both"
            ),
            (
                "rules:\n  - name: a\n    when: {net_value: {at_least: 1}}\n    leave_open: true\n", 3,
                "rules[0].when.net_value.currency: is missing"
            ),
            (
                "rules:\n  - name: a\n    answer: {\(words), refund_preference: GRANT_PRORATED}\n", 3,
                "rules[0].answer.refund_preference: GRANT_PRORATED needs consumption_percentage"
            ),
            (
                "rules:\n  - name: a\n    answer: {\(words), refund_preference: GRANT_PRORATED, consumption_percentage: 0}\n",
                3, "rules[0].answer.consumption_percentage: the store takes GRANT_PRORATED with more than 0 alone"
            ),
            (
                "rules:\n  - name: a\n    answer: {\(words), consumption_percentage: 100.001}\n", 3,
                "rules[0].answer.consumption_percentage: expected a percentage from 0 to 100"
            ),
            (
                "rules:\n  - name: a\n    answer: {\(words), consumption_percentage: 5, consumed_over_days: 3}\n", 3,
                "rules[0].answer.consumed_over_days: stands beside consumption_percentage"
            ),
            (
                """
                rules:
                  - name: a
                    answer:
                      delivery_status: UNDELIVERED_OTHER
                      sample_content_provided: false
                      consumption_percentage: 5

                """, 6,
                "rules[0].answer.consumption_percentage: the store takes no consumption of what is UNDELIVERED_OTHER"
            ),
        ])
    func faults(text: String, line: Int, words: String) throws {
        let error = try #require(throws: MillError.self) { try policy(text) }
        #expect(error.exitStatus == .configuration && error.line == line, "\(error)")
        #expect(error.what.hasPrefix(words), "\(error)")
    }

    private static let words = "delivery_status: DELIVERED, sample_content_provided: false"
    private static let plain = "{\(words)}"

    @Test("A star stands for any characters, and for none")
    func patterns() {
        func matches(_ text: String, _ pattern: String) -> Bool {
            PolicyJudge.matches(Array(text.utf8)[...], Array(pattern.utf8)[...])
        }
        for (text, pattern) in [
            ("a.b", "a.b"), ("a.b", "*"), ("", "*"), ("a.b.c", "a.*"), ("a.b.c", "*.c"), ("abab", "*ab"),
            ("a.b.c", "a*b*c"), ("aaab", "*a*ab"),
        ] { #expect(matches(text, pattern), "\(text) \(pattern)") }
        for (text, pattern) in [("a.b", "a"), ("a", "a.b"), ("", "a"), ("a.b.c", "a.*.d"), ("ab", "b*"), ("A", "a")] {
            #expect(!matches(text, pattern), "\(text) \(pattern)")
        }
    }
}
