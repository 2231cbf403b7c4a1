/** Waits for an answer of the history; one that is too far behind is a refusal that tells to ask again. */
import { HistoryBehind } from "../history/port.ts";
import { AdminRefusal } from "./answer.ts";

export async function fromHistory<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof HistoryBehind)) throw error;
    throw new AdminRefusal(503, "HISTORY_BEHIND", "History has not got that far yet; ask again in a moment.");
  }
}
