import Network
import Parameters
import Quantity
import Statistics
import Testing

/// Drops every nth of the packets that would have to wait.
private struct Decimation: DroppingDiscipline {
  struct Parameters: Parameterized {
    var period = 3

    static let parameters: [ParameterDeclaration<Self>] = [
      .integer("period", \.period, in: 2...100, "one packet in so many is dropped", source: "a test")
    ]
  }

  private let period: Int
  private var arrivals = 0

  init(_ parameters: Parameters) { period = parameters.period }

  mutating func dropsArriving(
    waitingPackets: Int, hasRoom: Bool, lastWait: Int64, at now: Int64, _ draws: inout RandomStream
  ) -> Bool {
    arrivals += 1
    return arrivals % period == 0
  }
}

@Suite("A custom discipline")
struct OwnDisciplineTests {
  /// Ten packets at once on an idle link: the first is sent; of the nine that wait, every third or fifth is dropped.
  @Test(arguments: [(nil, [0, 1, 2, 4, 5, 7, 8]), (5, [0, 1, 2, 3, 4, 6, 7, 8, 9])] as [(Int?, [UInt32])])
  func dropsAsItDecides(period: Int?, delivered: [UInt32]) throws {
    let entry = RegisteredDiscipline(
      "decimation", Decimation.self, summary: "drops one in so many", source: "a test")
    let registry = Registry<RegisteredDiscipline>.disciplines.adding(entry)
    let settings = period.map { [ParameterSetting("period", .integer($0))] } ?? []
    var parameters = LinkParameters(capacity: .constant(.megabits(8)), queueLimit: .packets(100))
    parameters.discipline = try #require(registry["decimation"]).discipline(settings)
    var model = OneLink(parameters)
    model.run((0..<10).map { _ in (time: 0, size: 1000) })
    let frames = model.arrivals.map(\.packet.frame)
    #expect(frames == delivered)
    let isConserved = model.isConserved
    #expect(isConserved)
  }

  @Test func equalityIsThatOfNameAndParameters() {
    var parameters = CoDelParameters()
    #expect(QueueDiscipline.codel() == .codel(parameters))
    parameters.maximumPacketSize = ByteCount(9000)
    #expect(QueueDiscipline.codel() != .codel(parameters))
    #expect(QueueDiscipline.codel() != .pie() && QueueDiscipline.codel() != .dropTail)
    #expect(QueueDiscipline.dropTail.isDropTail && !QueueDiscipline.fqCodel().isDropTail)
  }
}
