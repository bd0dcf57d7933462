import Endpoint
import Metrics
import Plan
import Publishing
import Quantity
import Serving
import SimulationKernel
import Viewing

/// Values of the whole run.
extension Recording {
  /// Writes all values of the whole run.
  mutating func summarize(_ parts: borrowing MeetingParts) {
    tiles.finish()
    for viewer in parts.people.indices {
      for source in parts.streams.sources.indices {
        let track = parts.streams.track(viewer: viewer, source: source)
        summarizeTile(track, viewer: viewer, source: source)
      }
    }
    for viewer in parts.people.indices {
      let first = parts.streams.track(viewer: viewer, source: 0)
      summarizeViewer(viewer, tracks: first..<first + parts.streams.sourceCount)
      summarizeCost(of: viewer)
      summarizeYardstick(of: viewer, at: SimTime.zero + parts.plan.duration)
    }
    for link in parts.plan.links.indices { summarizeLink(link, parts.net.links.counters(of: link)) }
    summarizeVoices(parts.listeners.totals)
    summarizeMeeting()
    summarizeFairness()
  }
}
