/** Routes that set the latency of a lab. */
import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { AdminRefusal, ok } from "../../people/admin/answer.ts";
import { type Route, route } from "../../people/admin/router.ts";
import { type Latency, latencySchema, MAX_SAMPLES } from "./latency.ts";

/** The largest file of waits. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export function latencyRoutes(latency: Latency): Route[] {
  return [
    route({
      method: "GET",
      pattern: "/v1/lab/latency",
      summary: "Shows the latency of requests, responses and stream messages.",
      answers: "`marketData`, `orderEntry`, `answer`: no latency if absent.",
      handle: () => ok(latency.setting),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/latency",
      summary: "Sets the latency of requests, responses and stream messages, on the lab's clock.",
      answers:
        "As in GET. Each is `{ms}`, `{medianMs, sigma}` of a log-normal distribution, or `{samplesMs: […]}`, used in order and repeated; `orderEntry` and `answer` can also have one of these for each of `place`, `cancel` and `query`. `{}` means no latency.",
      body: latencySchema,
      asSchema: withFiles,
      handle: ({ body }) => {
        latency.set(body);
        return ok(latency.setting);
      },
    }),
  ];
}

/** Converts `{file}`, a file of the node's machine with milliseconds, one a line, into `samplesMs`. */
function withFiles(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return sent;
  const { file, ...others } = sent as { readonly file?: unknown };
  if (typeof file === "string" && Object.keys(others).length === 0) return { samplesMs: samplesOf(file) };
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withFiles(value)]));
}

const notAFile = (path: string): AdminRefusal =>
  new AdminRefusal(400, "BAD_REQUEST", `file: ${path} must be a file of at most ${MAX_FILE_BYTES} bytes`);

function samplesOf(path: string): readonly number[] {
  let text: string;
  try {
    // A device has no end.
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_FILE_BYTES) throw notAFile(path);
    text = readFileSync(path, "latin1");
  } catch (error) {
    if (error instanceof AdminRefusal) throw error;
    throw new AdminRefusal(
      400,
      "BAD_REQUEST",
      `file: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const lines = text.split("\n").map((line) => line.trim());
  const samples = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (samples.length > MAX_SAMPLES) throw new AdminRefusal(400, "BAD_REQUEST", `file: more than ${MAX_SAMPLES} lines`);
  return samples.map((line, at) => {
    const value = z.coerce.number().safeParse(line);
    if (!value.success)
      throw new AdminRefusal(400, "BAD_REQUEST", `file: line ${at + 1} is not a number of milliseconds`);
    return Math.round(value.data);
  });
}
