/** Waits for history, and rejects with HISTORY_BEHIND while it is too far behind the journal. */
import { HistoryBehind } from "../../history/port.ts";
import { AdminRefusal } from "./answer.ts";

export async function fromHistory<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof HistoryBehind)) throw error;
    throw new AdminRefusal(503, "HISTORY_BEHIND", "History is behind the journal. Try again in a few seconds.");
  }
}
