/**
 * Shared components of the lab's dialog: the last known state of a part, where failed reads are shown as errors, and a
 * number field.
 */
import { bind } from "./controls.tsx";
import type { ComponentChildren } from "preact";
import type { Seen } from "../lab/port.ts";
import { LAB } from "../words/words.ts";
import type { Signal } from "@preact/signals";

interface SeenProps<Value> {
  readonly seen: Seen<Value>;
  /** The text shown if the lab does not have the part. */
  readonly absent: string;
  readonly children?: (value: Value) => ComponentChildren;
}

export function LabSeen<Value>({ seen, absent, children }: SeenProps<Value>) {
  if (seen.state === "absent") return <p class="muted">{absent}</p>;
  return (
    <>
      {seen.problem !== null && <p class="refusal">{LAB.notSeen(seen.problem)}</p>}
      {seen.state === "known" && children?.(seen.value)}
      {seen.state === "unknown" && seen.problem === null && <p class="muted">{LAB.looking}</p>}
    </>
  );
}

// A small number field.

export function LabNumber({ label, value, least = 0 }: { label: string; value: Signal<string>; least?: number }) {
  return (
    <label>
      {label}
      <input type="number" min={least} step="any" required {...bind(value)} />
    </label>
  );
}
