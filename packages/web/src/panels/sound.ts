/** A short tone when an own order is filled, where that is wanted. Made here: no file is fetched. */
import { effect } from "@preact/signals";
import type { Fill } from "../account/port.ts";
import type { Desk } from "./desk.ts";

const TONE_S = 0.14;
const LOUDNESS = 0.06;
/** A purchase sounds higher than a sale. */
const PITCH_HZ = { BUY: 880, SELL: 587 };
/** What was traded longer ago was fetched, not told of now. */
const FRESH_MS = 5_000;

function play(context: AudioContext, { side }: Fill): void {
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = PITCH_HZ[side];
  volume.gain.setValueAtTime(LOUDNESS, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.000_1, context.currentTime + TONE_S);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + TONE_S);
}

export function keepSounds({ account, feed, preferences }: Desk): () => void {
  let context: AudioContext | undefined;
  let heard = "";
  return effect(() => {
    const [newest] = account.fills.value;
    const key = newest === undefined ? "" : `${newest.symbol}/${newest.tradeId}/${newest.side}`;
    if (key === heard) return;
    heard = key;
    // The fill is stamped with the exchange's time, which this machine's clock may be far from.
    const nowMs = Date.now() + (feed.clockOffsetMs.peek() ?? 0);
    if (newest === undefined || !preferences.sounds.value || nowMs - newest.timeMs > FRESH_MS) return;
    context ??= new AudioContext();
    play(context, newest);
  });
}
