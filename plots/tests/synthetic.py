"""Makes result directories that look like those of a run."""

import json
import math
from pathlib import Path

STREAMS = (
    "run_id,time_s,viewer,source,kind,state,tile_width_px,tile_height_px,requested_height_px,requested_fps,"
    "target_height_px,frame_width_px,frame_height_px,frames_per_second,bitrate_bps,packets_lost,"
    "freeze_count,freezes_duration_s,limitation,mos"
)
PARTICIPANTS = (
    "run_id,time_s,participant,up_capacity_bps,up_estimate_bps,up_bitrate_bps,up_loss_frac,"
    "up_queue_delay_s,down_capacity_bps,down_estimate_bps,down_bitrate_bps,down_loss_frac,"
    "down_queue_delay_s,audio_bitrate_bps,audio_loss_frac,videos_received,decoded_pixels_per_s,connection_quality"
)


def write_run(directory: Path, students: int = 5, seconds: int = 60) -> Path:
    """A lesson whose students' downlinks are narrow from 20 s to 40 s."""
    directory.mkdir(parents=True, exist_ok=True)
    people = ["teacher"] + [f"student-{n}" for n in range(1, students + 1)]
    streams, participants = [STREAMS], [PARTICIPANTS]
    for second in range(1, seconds + 1):
        narrow = 20 < second <= 40
        for number, viewer in enumerate(people):
            capacity = 100_000_000 if viewer == "teacher" else 900_000 if narrow else 2_400_000
            estimate = int(capacity * (0.9 - 0.25 * math.exp(-(second % 20) / 4)))
            participants.append(
                f"r1,{second}.0,{viewer},,,600000,0.0,0.001,{capacity},{estimate},500000,0.0,0.01,"
                "32000,0.0,3,9000000,excellent"
            )
            for source in people:
                if source == viewer:
                    continue
                streams.append(f"r1,{second}.0,{viewer},{source}," + tile(second, number, source, narrow))
    (directory / "streams.csv").write_text("\n".join(streams) + "\n", encoding="utf-8")
    (directory / "participants.csv").write_text("\n".join(participants) + "\n", encoding="utf-8")
    manifest = {"scenario": "remote-education", "seed": "1"}
    (directory / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return directory


def tile(second: int, viewer: int, source: str, narrow: bool) -> str:
    """The fields of a stream row behind the source's."""
    wanted = 720 if source == "teacher" else 180
    if second <= 1:
        return f"camera,waiting-for-keyframe,320,180,{wanted},30,{wanted},,,,0,0,0,0.0,switching,"
    if source == "student-3" and 30 <= second < 45:
        return "camera,muted,320,180,180,15,,,,,0,0,0,0.0,muted,"
    if source == "teacher":
        height, rate, bits = (360, 30, 510_000) if narrow and viewer else (720, 30, 1_300_000)
        if second == 21:
            height, rate = 720, 11
    else:
        height, rate, bits = (90, 7, 45_000) if narrow and viewer else (180, 15, 120_000)
    wobble = 1 + 0.07 * math.sin(second * 1.7 + viewer + len(source))
    limitation = "none" if height >= wanted else "bandwidth"
    return (
        f"camera,receiving,320,180,{wanted},30,{height},{height * 16 // 9},{height},"
        f"{rate - (second * 7 + viewer) % 3 * 0.4:.1f},{int(bits * wobble)},0,0,0.0,{limitation},3.9"
    )


def write_details(directory: Path) -> Path:
    """What else a run of `write_run` may have: places of tiles, decisions, events and an explanation."""
    people = ["teacher"] + [f"student-{n}" for n in range(1, 6)]
    layout = ["run_id,time_s,viewer,source,area,x_px,y_px,width_px,height_px,z,visible_frac"]
    decisions = [
        "run_id,time_s,viewer,source,rank,rule,estimate_bps,voice_reserve_bps,padding_bps,header_bps,repair_bps,cap_bps,"
        "budget_bps,given_before_bps,wanted,given,previous,reason,missing_bps"
    ]
    for viewer in people:
        layout.append(f"r1,0.000,{viewer},,,0,0,1280,720,,")
        others = [source for source in people if source != viewer]
        for number, source in enumerate(others):
            layout.append(f"r1,0.000,{viewer},{source},grid,{number % 3 * 400},{number // 3 * 240},384,216,0,1.0000")
            decisions.append(
                f"r1,0.500,{viewer},{source},{number + 1},GridPolicy,2000000,40000,0,60000,0,,1900000,"
                f"{number * 150000},h.2,h.1,,bandwidth,12000"
            )
        # In the middle the first goes on the stage, the second leaves and the last is far below; then the screen scrolls.
        layout.append(f"r1,30.000,{viewer},{others[0]},stage,0,0,960,540,0,1.0000")
        layout.append(f"r1,30.000,{viewer},{others[1]},,,,,,,0.0000")
        layout.append(f"r1,30.000,{viewer},{others[-1]},grid,0,900,384,216,0,0.0000")
        layout.append(f"r1,45.000,{viewer},,,0,100,1280,720,,")
        decisions.append(f"r1,30.000,{viewer},{others[0]},1,GridPolicy,,,,,,,900000,0,f.2,h.2,h.1,hold,")
    events = [
        "run_id,time_s,participant,event,detail,result", "r1,0.000,teacher,join,,ok", "r1,2.000,teacher,speaks,9 s,ok",
        "r1,20.000,,capacity,student-1/down 900 kbps,ok",
    ]
    explanation = {
        "viewer": "student-1", "source": "teacher", "time_s": 25.0, "sentences": ["The downlink has 900 kbps."],
    }
    for name, lines in [("layout", layout), ("decisions", decisions), ("events", events)]:
        (directory / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (directory / "explain.json").write_text(json.dumps(explanation), encoding="utf-8")
    return directory
