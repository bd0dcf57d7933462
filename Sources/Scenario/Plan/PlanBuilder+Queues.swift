import Network
import Parameters
import Quantity
import YAML

/// Reading of a link's loss, overhead, shaper and queue.
extension PlanBuilder {
  /// Reads `2 %`, or a mapping: `{mean: 2 %, burst: 3}`, or netem's `{p: 1 %, r: 30 %, 1-h: 100 %, 1-k: 0 %}`.
  func readLoss(_ fields: Fields) -> LinkLoss? {
    guard let node = fields.take("loss") else { return nil }
    guard case .mapping = node else { return fields.share("loss").map(LinkLoss.independent) }
    guard let own = Fields(node, "loss of \(fields.subject)", reading) else { return nil }
    defer { own.finish() }
    guard own.keys.contains("mean") || own.keys.contains("p") else {
      own.report(nil, "\(own.subject) needs 'mean', such as '{mean: 2 %, burst: 3}', or netem's 'p' and 'r'")
      // Marks the keys of both forms as known.
      for key in ["mean", "burst", "p", "r", "1-h", "1-k"] { _ = own.take(key) }
      return nil
    }
    return own.keys.contains("mean") ? readMeanLoss(own) : readChain(own)
  }

  private func readMeanLoss(_ own: Fields) -> LinkLoss? {
    let mean = own.share("mean")
    let states = own.keys.contains("burst")
    let burst = own.number("burst", in: 1...10_000)
    guard let mean, burst != nil || !states else { return nil }
    guard let burst else { return .independent(mean) }
    if let model = GilbertElliott(mean: mean, burst: burst) { return .bursts(model) }
    let percent = (mean.value * 10_000).rounded() / 100
    own.report(
      nil,
      mean.value >= 1
        ? "loss: a mean of 100 % has no bursts: write 'loss: 100 %'"
        : "loss: bursts of \(burst) packets cannot yield \(percent) %: "
          + "'burst' must be at least \((mean.value / (1 - mean.value) * 100 - 1e-6).rounded(.up) / 100)")
    return nil
  }

  private func readChain(_ own: Fields) -> LinkLoss? {
    let toBad = own.share("p")
    let toGood = own.share("r")
    let lossWhenBad = own.share("1-h")
    let lossWhenGood = own.share("1-k")
    guard let toBad, let certain = Fraction(1) else { return nil }
    return .bursts(
      GilbertElliott(
        toBad: toBad, toGood: toGood ?? Fraction(1 - toBad.value) ?? certain,
        lossWhenBad: lossWhenBad ?? certain, lossWhenGood: lossWhenGood ?? .zero))
  }

  /// Reads a link's per-packet overhead.
  func readOverhead(_ fields: Fields, into parameters: inout LinkParameters) {
    guard let node = fields.take("overhead"), let text = fields.text(of: node, "overhead"),
      let size = fields.parse(node, "overhead", text, ByteCount.init(text:))
    else { return }
    guard size <= ByteCount(256) else {
      fields.report(node, "overhead: '\(text)' is too large: at most 256 B")
      return
    }
    parameters.overhead = size
  }

  /// Reads the bucket size of a token-bucket shaper.
  func readBucket(_ fields: Fields, into parameters: inout LinkParameters) {
    guard let node = fields.take("bucket"), let text = fields.text(of: node, "bucket"),
      let size = fields.parse(node, "bucket", text, ByteCount.init(text:))
    else { return }
    guard size <= ByteCount(1_000_000_000) else {
      fields.report(node, "bucket: '\(text)' is too large: at most 1 GB")
      return
    }
    parameters.bucket = size
  }

  /// Reads a limit, or `{discipline: NAME, limit: 300 ms}` with the discipline's parameters.
  func readQueue(_ fields: Fields, into parameters: inout LinkParameters) {
    guard let node = fields.take("queue") else { return }
    guard case .mapping = node else {
      if let limit = queueLimit(node, fields) { parameters.queueLimit = limit }
      return
    }
    guard let own = Fields(node, "queue of \(fields.subject)", reading) else { return }
    defer { own.finish() }
    if let limit = own.take("limit").flatMap({ queueLimit($0, own) }) { parameters.queueLimit = limit }
    let known = catalogue.disciplines
    let name =
      own.keys.contains("discipline") ? own.word("discipline", among: known.names) : known.standard.name
    guard let name, let discipline = known[name] else {
      own.stop()
      return
    }
    parameters.discipline = discipline.discipline(own.settings(of: discipline.parameters))
    if parameters.bucket != nil, !parameters.discipline.isDropTail {
      own.report(nil, "queue: a link with a bucket drops at the tail only: remove 'bucket' or 'discipline'")
    }
  }

  func queueLimit(_ node: Node, _ fields: Fields) -> QueueLimit? {
    guard let text = fields.text(of: node, "queue") else { return nil }
    let parts = text.split(separator: " ")
    if parts.count == 2, parts[1] == "packets" || parts[1] == "packet" {
      guard let count = Int(plain: parts[0]), (1...1_000_000).contains(count) else {
        fields.report(node, "queue: '\(text)' is not a number of packets from 1 to 1000000")
        return nil
      }
      return .packets(count)
    }
    if let duration = try? SimDuration(text: text), duration <= .seconds(60) { return .duration(duration) }
    if let size = try? ByteCount(text: text) { return .bytes(size) }
    fields.report(
      node, "queue: '\(text)' is not a time up to 60 s, a size or a number of packets, such as '300 ms'")
    return nil
  }
}
