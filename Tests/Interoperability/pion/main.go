// Reads reports of getStats(), one a line, into the statistics of pion/webrtc, and prints what it understood.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/pion/webrtc"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		report := map[string]json.RawMessage{}
		check(json.Unmarshal(lines.Bytes(), &report))
		for id, object := range report {
			var kind struct{ Type webrtc.StatsType }
			check(json.Unmarshal(object, &kind))
			switch kind.Type {
			case webrtc.StatsTypeOutboundRTP:
				var s webrtc.OutboundRTPStreamStats
				check(json.Unmarshal(object, &s))
				fmt.Println(id, s.Kind, s.SSRC, s.BytesSent, s.PacketsSent, s.PLICount, s.NACKCount, s.RemoteID)
			case webrtc.StatsTypeRemoteInboundRTP:
				var s webrtc.RemoteInboundRTPStreamStats
				check(json.Unmarshal(object, &s))
				fmt.Println(id, s.Kind, s.SSRC, s.PacketsLost, s.RoundTripTime, s.LocalID)
			case webrtc.StatsTypeCandidatePair:
				var s webrtc.ICECandidatePairStats
				check(json.Unmarshal(object, &s))
				fmt.Println(id, s.Nominated, s.AvailableOutgoingBitrate, s.CurrentRoundTripTime)
			}
		}
	}
	check(lines.Err())
}
