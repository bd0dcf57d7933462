import Expectations
import Plan
import Testing

@Suite("JUnit reports")
struct JUnitReportTests {
  @Test func aSuiteCountsItsCasesAndNamesTheirLines() {
    let report = MadeReport.sweep(
      [[4, 4.1, 4.2], [2, 2.1, nil], [1, 5, 3]], [MadeReport.expectation(.atLeast, 3)], name: "a<b>&\"c\"")
    let text = JUnitReport.text(of: [report], strict: false)
    #expect(
      text.contains(
        "<testsuite name=\"a&lt;b&gt;&amp;&quot;c&quot;\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""
      ))
    #expect(
      text.contains(
        "name=\"mos (mean) of bob at ann &gt;= 3 [capacity 0 bps]\" file=\"sweeps/made.yaml\" line=\"7\""))
    #expect(
      text.contains(
        "<failure type=\"expectation\" message=\"mos (mean) of bob at ann with capacity 1 bps: expected"))
    #expect(text.contains("<error type=\"failed\" message=\"it trapped\"/>"))
    #expect(text.contains("<property name=\"repetitions\" value=\"3\"/>"))
    // The same results have the same bytes.
    #expect(!text.contains("time="))
    let strict = JUnitReport.text(of: [report], strict: true)
    #expect(strict.contains("failures=\"2\"") && !strict.contains("<skipped"))
  }
}

@Suite("GitHub reports")
struct GitHubReportTests {
  @Test func annotationsStandOnTheLineOfTheExpectationAndAreEscaped() {
    let report = MadeReport.sweep(
      [[2, 2.1]], [MadeReport.expectation(.atLeast, 3)], name: "50 %: a, b", file: "a,b:c.yaml")
    let text = GitHubReport.annotations(of: [report], strict: false) { $0 }
    #expect(
      text
        == "::error file=a%2Cb%3Ac.yaml,line=7,title=50 %25%3A a%2C b%3A expectation failed::"
        + "mos (mean) of bob at ann with capacity 0 bps: expected >= 3, measured 2.05, "
        + "interval 1.41469 to 2.68531 (95 %25, n = 2); worst run r0 has 2\n")
  }

  @Test func atMostTenOfAKindAreShownAndTheRestCounted() {
    let report = MadeReport.sweep(
      [[Double?]](repeating: [2, 2.1], count: 25) + [[Double?]](repeating: [1, 5], count: 12),
      [MadeReport.expectation(.atLeast, 3)])
    let lines = GitHubReport.annotations(of: [report], strict: false) { $0 }.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
    #expect(lines.count { $0.hasPrefix("::warning ") } == 10)
    #expect(lines.last?.hasPrefix("::notice title=meetsim check::25 errors and 12 warnings in all") == true)
  }

  @Test func whatIsInconclusiveIsAnErrorWhereThatIsStrict() {
    let report = MadeReport.sweep([[1, 5]], [MadeReport.expectation(.atLeast, 3)])
    #expect(GitHubReport.annotations(of: [report], strict: false) { $0 }.hasPrefix("::warning "))
    #expect(GitHubReport.annotations(of: [report], strict: true) { $0 }.hasPrefix("::error "))
  }

  @Test func missingRunsAreAnError() {
    let report = MadeReport.sweep([[4, nil, nil]], [])
    #expect(
      GitHubReport.annotations(of: [report], strict: false) { $0 }.contains(
        "title=made%3A runs are missing::run r1 and 1 more: failed it trapped"))
  }

  @Test(arguments: [
    ("scenarios/a.yaml", "/home/me/repo", "/home/me/repo", "scenarios/a.yaml"),
    ("a.yaml", "/home/me/repo/scenarios", "/home/me/repo", "scenarios/a.yaml"),
    ("../x/./a.yaml", "/home/me/repo/scenarios", "/home/me/repo", "x/a.yaml"),
    ("/home/me/repo/a.yaml", "/tmp", "/home/me/repo/", "a.yaml"),
    ("/elsewhere/a.yaml", "/home/me/repo", "/home/me/repo", "/elsewhere/a.yaml"),
    ("a.yaml", "/home/me", "", "a.yaml"),
  ])
  func filesAreRelativeToTheCheckout(file: String, directory: String, workspace: String, expected: String) {
    #expect(GitHubReport.relative(file, from: directory, to: workspace) == expected)
  }

  @Test func theSummaryBeginsWithFailuresAndKeepsItsLimit() throws {
    let report = MadeReport.sweep(
      [[4, 4.1]] + [[Double?]](repeating: [2, 2.1], count: 50), [MadeReport.expectation(.atLeast, 3)],
      name: "a|b")
    let whole = GitHubReport.summary(of: [report])
    #expect(whole.contains("### meetsim: a\\|b"))
    #expect(whole.contains("1 of 51 expectations hold, 50 failed, 0 inconclusive."))
    let fail = try #require(whole.firstRange(of: "| fail |"))
    let pass = try #require(whole.firstRange(of: "| pass |"))
    #expect(fail.lowerBound < pass.lowerBound)
    let short = GitHubReport.summary(of: [report], limit: 2000)
    #expect(short.utf8.count <= 2000 && short.contains("more rows omitted"))
  }
}
