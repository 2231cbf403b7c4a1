/** Plays a short tone. The tone is synthesized, so no file is fetched. */

const TONE_S = 0.14;
const LOUDNESS = 0.06;
let context: AudioContext | undefined;

/** Browsers play tones only after the user has pressed or typed something in the page. */
export function playTone(pitchHz: number): void {
  context ??= new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = pitchHz;
  volume.gain.setValueAtTime(LOUDNESS, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.000_1, context.currentTime + TONE_S);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + TONE_S);
}
