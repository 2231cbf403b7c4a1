/** The journal's thread. It is the only thread that waits for commits. */
import { parentPort, workerData } from "node:worker_threads";
import { JournalFile } from "./journal-file.ts";
import { JournalRefused, type LogPlace, type NewBatch } from "./port.ts";
import type { JournalResponse, JournalRequest } from "./sqlite.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");
const file = JournalFile.open((workerData as { path: string }).path);

port.on("message", (question: JournalRequest) => {
  if (question.type === "close") {
    file.close();
    port.close();
    return;
  }
  port.postMessage(answer(question.batch, question.place));
});

function answer(batch: NewBatch | null, place: LogPlace | undefined): JournalResponse {
  try {
    return { head: batch === null ? file.head() : file.append(batch, place) };
  } catch (error) {
    return { refused: error instanceof JournalRefused, message: (error as Error).message };
  }
}
