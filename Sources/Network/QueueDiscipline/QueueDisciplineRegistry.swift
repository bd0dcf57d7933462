package import Parameters

/// Queue discipline that scenarios can name.
package struct RegisteredDiscipline: RegistryEntry {
  package let name: String
  package let summary: String
  package let source: String
  package let parameters: [ParameterDescription]
  private let configure: @Sendable ([ParameterSetting]) -> QueueDiscipline

  private init(_ discipline: QueueDiscipline, summary: String, source: String) {
    name = discipline.name
    self.summary = summary
    self.source = source
    parameters = []
    configure = { _ in discipline }
  }

  package init<Discipline: DroppingDiscipline>(
    _ name: String, _ discipline: Discipline.Type, summary: String, source: String
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    parameters = Discipline.Parameters.descriptions
    configure = { QueueDiscipline(name, Discipline.self, Discipline.Parameters($0)) }
  }

  init<Discipline: SchedulingDiscipline>(
    _ name: String, _ discipline: Discipline.Type, summary: String, source: String
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    parameters = Discipline.Parameters.descriptions
    configure = { QueueDiscipline(name, Discipline.self, Discipline.Parameters($0)) }
  }

  /// Returns the discipline with parameter overrides.
  package func discipline(_ settings: [ParameterSetting] = []) -> QueueDiscipline { configure(settings) }

  fileprivate static let dropTail = RegisteredDiscipline(
    .dropTail, summary: "drops arriving packets when the queue is full",
    source: "queue limit only")
}

extension Registry<RegisteredDiscipline> {
  /// Built-in queue disciplines; the first is the default.
  package static let disciplines = Registry([
    .dropTail,
    RegisteredDiscipline(
      "codel", ControlledDelay.self, summary: "controlled delay: drops at the head", source: "RFC 8289"
    ),
    RegisteredDiscipline(
      "fq-codel", FairQueue.self, summary: "controlled delay with per-flow queues and deficit round robin",
      source: "RFC 8290"),
    RegisteredDiscipline(
      "pie", ProportionalIntegral.self,
      summary: "proportional integral controller enhanced: drops on arrival",
      source: "RFC 8033"),
  ])
}
