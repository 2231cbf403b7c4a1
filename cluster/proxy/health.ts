/** Checks the health of a node five times a second. */
export interface Checked {
  readonly name: string;
  /** The admin URL, such as `http://127.0.0.1:8281`. */
  readonly admin: string;
}

export type Health = "ready" | "living" | "gone";

const PATIENCE_MS = 1000;

export async function healthOf({ admin }: Checked): Promise<Health> {
  try {
    const { ok } = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return ok ? "ready" : "living";
  } catch {
    return "gone";
  }
}
