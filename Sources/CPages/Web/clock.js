// The moment that is shown, and playing.

class Clock {
  constructor(duration) {
    this.duration = duration;
    this.time = 0;
    this.speed = 1;
    this.isPlaying = false;
    this.listeners = [];
    this.previous = null;
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.duration);
    this.tell();
  }

  toggle() {
    if (this.isPlaying) {
      this.isPlaying = false;
    } else {
      if (this.time >= this.duration) this.time = 0;
      this.isPlaying = true;
      this.previous = null;
      requestAnimationFrame((now) => this.step(now));
    }
    this.tell();
  }

  step(now) {
    if (!this.isPlaying) return;
    if (this.previous !== null) this.time += ((now - this.previous) / 1000) * this.speed;
    this.previous = now;
    if (this.time >= this.duration) {
      this.time = this.duration;
      this.isPlaying = false;
    }
    this.tell();
    if (this.isPlaying) requestAnimationFrame((next) => this.step(next));
  }

  tell() {
    for (const listener of this.listeners) listener(this.time);
  }
}
