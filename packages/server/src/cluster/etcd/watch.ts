/** One watch of the log at one member, until it ends: by the member, by silence, or by us. */
import type { Timers } from "../../platform/world/port.ts";
import type { Stream } from "./endpoint.ts";
import type { EpochKeys } from "./keys.ts";
import type { EtcdLimits } from "./limits.ts";
import type { WatchResponse } from "./protocol.ts";

/** How a watch has ended. `compactRevision` > 0: the store does not have what follows the asked revision. */
export interface WatchEnd {
  readonly reason: "ended" | "silent" | "closed";
  readonly message: string;
  readonly compactRevision: number;
}

export interface WatchOptions {
  readonly stream: Stream<"Watch/Watch">;
  readonly keys: EpochKeys;
  /** The first revision that is wanted. */
  readonly startRevision: number;
  readonly limits: Pick<EtcdLimits, "progressMs" | "silenceMs">;
  readonly world: Timers;
  /** An error that it throws ends the watch, and `ended` rejects with it. */
  readonly onResponse: (response: WatchResponse) => void;
}

export class Watch {
  readonly ended: Promise<WatchEnd>;
  readonly #options: WatchOptions;
  readonly #end = Promise.withResolvers<WatchEnd>();
  readonly #stopAsking: () => void;
  /** Questions since it was last heard: a process that stood still itself has asked none meanwhile. */
  #unanswered = 0;
  #isPaused = false;
  #isOver = false;

  constructor(options: WatchOptions) {
    const { stream, keys, startRevision, limits, world } = options;
    this.#options = options;
    this.ended = this.#end.promise;
    stream.stream.on("data", (response: WatchResponse) => this.#hear(response));
    stream.stream.on("error", ({ message }: Error) => this.#close("ended", message));
    stream.stream.on("end", () => this.#close("ended", "the member has ended it"));
    stream.stream.write({
      create: {
        ...keys.log,
        startRevision,
        progressNotify: true,
        // Batches are removed when all nodes have them: nobody needs to hear of that.
        filters: ["NODELETE"],
        fragment: true,
      },
    });
    this.#stopAsking = world.every(limits.progressMs, () => this.#ask());
  }

  /** While paused, the member keeps what comes, and silence means nothing. */
  set isPaused(isPaused: boolean) {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.#unanswered = 0;
    const { stream } = this.#options.stream;
    if (isPaused) stream.pause();
    else stream.resume();
  }

  close(): void {
    this.#close("closed", "");
  }

  #hear(response: WatchResponse): void {
    // Responses under way when the watch ended come again with the next watch.
    if (this.#isOver) return;
    this.#unanswered = 0;
    if (response.canceled) {
      this.#close("ended", response.cancelReason, Number(response.compactRevision));
      return;
    }
    try {
      this.#options.onResponse(response);
    } catch (error) {
      this.#end.reject(error);
      this.close();
    }
  }

  #ask(): void {
    if (this.#isPaused) return;
    const { stream, limits } = this.#options;
    const silentMs = this.#unanswered++ * limits.progressMs;
    if (silentMs >= limits.silenceMs) this.#close("silent", `nothing came for ${silentMs} ms`);
    // The answer is only a sign of life: members before 3.4.25 send it before older events.
    else stream.stream.write({ progress: {} });
  }

  #close(reason: WatchEnd["reason"], message: string, compactRevision = 0): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopAsking();
    this.#end.resolve({ reason, message, compactRevision });
    this.#options.stream.close();
  }
}
