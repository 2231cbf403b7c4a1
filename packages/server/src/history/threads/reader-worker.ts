/** A thread that runs history queries, so that a slow query delays only the queries in its own queue. */
import { parentPort, workerData } from "node:worker_threads";
import { isDiskTrouble } from "../../platform/disk.ts";
import { openQueries } from "../reading/queries.ts";
import type { ReaderAnswer, ReaderQuestion } from "./reader.ts";
import { openHistoryReadOnly } from "../table/schema.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");
const query = openQueries(openHistoryReadOnly((workerData as { path: string }).path));

// Reports that the thread has started.
port.postMessage(null);
port.on("message", (question: ReaderQuestion | null) => {
  if (question === null) port.close();
  else port.postMessage(answer(question));
});

function answer({ id, name, args }: ReaderQuestion): ReaderAnswer {
  try {
    return { id, rows: query(name, args as never) };
  } catch (error) {
    return { id, message: (error as Error).message, isPassing: isDiskTrouble(error) };
  }
}
