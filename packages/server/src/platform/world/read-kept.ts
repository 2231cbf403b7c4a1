/** Reads what rooms have kept. A checkpoint may come from a stranger's file: what has another shape is refused whole. */
import { z } from "zod";
import type { KeptValue } from "./port.ts";

/** What a checkpoint holds of a room is not what the room keeps. The message is one line. */
export class KeptUnreadable extends Error {
  override readonly name = "KeptUnreadable";
}

/** Amounts that no double holds stand as texts. */
export const keptBigint: z.ZodType<bigint> = z
  .string()
  .regex(/^-?[0-9]{1,40}$/)
  .transform(BigInt);

/** What another part of the room has kept, and reads by itself. */
export const keptPart: z.ZodType<KeptValue> = z.custom<KeptValue>((value) => value !== undefined);

/** A number that is counted: of pieces, of milliseconds since 1970. */
export const keptCount: z.ZodInt = z.int().min(0);

/** `room` names the room in the message. Throws `KeptUnreadable`, which names the first place that is wrong. */
export function readKept<T>(room: string, shape: z.ZodType<T>, kept: KeptValue): T {
  const { success, data, error } = shape.safeParse(kept);
  if (success) return data;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new KeptUnreadable(
    `the checkpoint is damaged, or of another version: ${room}${place}: ${issue?.message ?? ""}`,
  );
}
