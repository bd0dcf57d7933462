// What the tables' words mean.

const STATES = {
  receiving: "receiving",
  paused: "paused",
  hidden: "off screen",
  muted: "camera off",
  absent: "not sent",
  "waiting-for-keyframe": "waiting for a key frame",
};

// A kind of event that occurs more often is not marked until it is asked for.
const EVENTS_SHOWN = 24;
