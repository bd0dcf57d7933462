// What the tables' words mean, in a sentence.

const LIMITATIONS = {
  "off-screen": "The tile is not on the screen.",
  muted: "The source is muted or gone.",
  sender: "The camera, its capture rate or the ladder's top are below what was asked.",
  "sender-uplink": "The encoding that was asked for is off because the sender's uplink does not carry it.",
  starting: "The encoding or the estimate is still starting; the links would carry it.",
  device: "The participant's stated decode limit.",
  "request-cap": "The viewer's own call or setting caps it.",
  "layer-missing": "The source's layers leave a gap: the next one would exceed what was asked, or the cap.",
  bandwidth: "The budget does not reach the next layer.",
  hold: "The rule waits: time since a downgrade, or hysteresis.",
  switching: "Decided; its key frame has not come yet.",
  policy: "The rule gives no more, whatever the budget.",
  none: "Height and frame rate are what was asked.",
};

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
