/** The life of a listen key. Interface 3.7, 4.4. */
import type { Outcome } from "../../journal/sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { submit } from "../submit.ts";

function openedKey(outcome: Outcome): string {
  for (const event of outcome.events) {
    if (event.type === "listenKeyOpened") return `{"listenKey":"${event.listenKey}"}`;
  }
  throw new TypeError("an opened stream has a key");
}

/** Opens the stream with the key of the open one, or a new key. */
export function openStream(call: Call): typeof DEFERRED {
  const listenKey = call.venue.ids.listenKey();
  const command = { type: "openListenKey", accountId: call.accountId(), listenKey } as const;
  return submit(call, command, { context: "other", body: openedKey });
}

export function keepStream(call: Call): typeof DEFERRED {
  const command = { type: "keepListenKey", accountId: call.accountId(), listenKey: call.text("listenKey") } as const;
  return submit(call, command, { context: "other", body: () => "{}" });
}

export function closeStream(call: Call): typeof DEFERRED {
  const command = { type: "closeListenKey", accountId: call.accountId(), listenKey: call.text("listenKey") } as const;
  return submit(call, command, { context: "other", body: () => "{}" });
}
